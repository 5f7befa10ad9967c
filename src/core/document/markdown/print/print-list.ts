import { isBlankLine } from '../../build.ts'
import type { Block, BlockOf } from '../../model.ts'
import { GUARD, printContent, printEach } from './print-blocks.ts'
import { isListBlock } from './print-line.ts'
import type { List, Printing } from './print-line.ts'

/** The greatest list number that Markdown allows: it has at most nine digits. */
const GREATEST = 999_999_999

/**
 * A list. `other` chooses the second sign of its kind (`-` for `*`, `1)` for `1.`), which keeps neighbours and
 * lists in the first line of an item apart.
 */
export function printList(list: List, printing: Printing, other: boolean): string {
  const start = list.type === 'list-ordered' ? (list.data.start ?? 1) : 0
  const items = list.nodes.map((item, index) => {
    const number = Math.min(start + index, GREATEST)
    const sign = list.type === 'list-ordered' ? `${number}${other ? ')' : '.'}` : other ? '-' : '*'
    return item.type === 'list-item' ? printItem(item, sign, printing) : ''
  })
  return items.join(items.some((item) => item.includes('\n\n')) ? '\n\n' : '\n')
}

/** An item of a list with its marker, such as `*` or `1.`. */
export function printItem(item: BlockOf<'list-item'>, sign: string, printing: Printing): string {
  const { checked } = item.data
  const [first] = item.nodes
  const boxed = checked === undefined ? '' : checked ? '[x] ' : '[ ] '
  const beside =
    boxed === '' || (first?.type === 'paragraph' && first.data.align === undefined && !isBlankLine(first))

  const content = beside ? printItemContent(item.nodes, sign, printing) : guarded(item.nodes, printing)
  if (content === '') return sign
  const indent = ' '.repeat(sign.length + 1)
  return `${sign} ${boxed}${content.replace(/\n(?=[^\n])/g, `\n${indent}`)}`
}

function printItemContent(blocks: readonly Block[], sign: string, printing: Printing): string {
  const [first, second, ...others] = blocks
  if (blocks.length === 1 && isBlankLine(first)) return ''
  const parts = printEach(blocks, printing, sign)
  const [head = '', tail = ''] = parts
  const isTight = first?.type === 'paragraph' && isListBlock(second) && others.length === 0
  // Only a list that begins with text may follow a paragraph without a blank line.
  if (isTight && !/^<|\n/.test(head) && /^(?:[*-]|1[.)]) (?![*+-](?:\s|$)|\d+[.)](?:\s|$))\S/.test(tail))
    return `${head}\n${tail}`
  return parts.filter((text) => text !== '').join('\n\n')
}

/** A task list box needs text beside it. */
function guarded(blocks: readonly Block[], printing: Printing): string {
  const content = printContent(blocks, printing)
  return content === '' ? GUARD : `${GUARD}\n\n${content}`
}

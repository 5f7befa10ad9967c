/** Lists of attributes of kramdown, `{: .warning }`, in lines and alone in a line. */
import { because } from '../../languages/reasons.ts'
import { needItem } from '../../data/lists.ts'
import { printTitle } from '../../document/print.ts'
import { hintStyle } from '../html/callouts.ts'
import { dialectLines, type DialectLine, mapOutsideCode } from './dialect.ts'
import type { NotUnderstood } from './not-understood.ts'

const ALONE = /^[ \t>]{0,40}\{:([^{}]{0,500})\}[ \t]{0,40}$/
/** `{::comment}` and other extensions of kramdown. */
const EXTENSION = /^[ \t]{0,40}\{:(?::|\/)([\w-]{0,40})[^{}]{0,300}\}[ \t]{0,40}$/
const IN_LINE = /(?<=[\]\w)*_`])\{:[^{}\n]{0,500}\}/g

/** A run of lines that attributes belong to. */
interface KramdownBlock {
  lines: DialectLine[]
  attributes: string[]
}

/**
 * Turns the blocks whose class is a callout into hints, keeps the ids of headings, and removes other attributes and the mark
 * of a table of contents.
 * @param callouts the titles of the callouts that the settings define, by their class
 * @param line of the file at which the text begins, from 1
 */
export function kramdownLines(
  source: readonly DialectLine[],
  callouts: ReadonlyMap<string, string>,
  line: number,
  unknown: NotUnderstood,
): DialectLine[] {
  const output: DialectLine[] = []
  let waiting: string[] = []
  let block: KramdownBlock = { lines: [], attributes: [] }
  const flush = () => {
    for (const one of printedBlock(block, callouts)) output.push(one)
    block = { lines: [], attributes: [] }
  }
  for (let at = 0; at < source.length; at += 1) {
    const one = needItem(source, at)
    const extension = one.isCode ? undefined : EXTENSION.exec(one.text)?.[1]
    if (extension !== undefined) {
      if (extension !== '' && !/^\s*\{:\//.test(one.text))
        unknown.add(because('unknown-extension', { name: extension }), line + at)
      continue
    }
    const attributes = one.isCode ? undefined : ALONE.exec(one.text)?.[1]
    if (attributes !== undefined) {
      // Attributes after a block belong to it, and those after an empty line to the next.
      if (block.lines.length > 0) block.attributes.push(attributes)
      else waiting.push(attributes)
      continue
    }
    if (!one.isCode && one.text.trim() === '') {
      flush()
      output.push(one)
      continue
    }
    if (block.attributes.length > 0 || (block.lines.length > 0 && block.lines.at(-1)?.isCode !== one.isCode))
      flush()
    if (block.lines.length === 0) {
      block.attributes = waiting
      waiting = []
      if (block.attributes.length > 0) {
        block.lines.push(one)
        // The attributes before a block are those of all of its lines.
        while (at + 1 < source.length && isSameBlock(one, needItem(source, at + 1))) {
          at += 1
          block.lines.push(needItem(source, at))
        }
        continue
      }
    }
    block.lines.push(one)
  }
  flush()
  return output.map((one) =>
    one.isCode ? one : { ...one, text: mapOutsideCode(one.text, (text) => text.replace(IN_LINE, '')) },
  )
}

const isSameBlock = (first: DialectLine, next: DialectLine) =>
  next.isCode === first.isCode && (first.isCode || (next.text.trim() !== '' && !ALONE.test(next.text)))

function printedBlock(
  { lines, attributes }: KramdownBlock,
  callouts: ReadonlyMap<string, string>,
): DialectLine[] {
  if (attributes.length === 0) return lines
  const words = attributes.flatMap((one) => one.trim().split(/\s+/))
  if (words.includes('toc')) return lines.slice(0, -1)
  const id = words.find((one) => /^#[\w.:-]{1,100}$/.test(one))
  const last = lines.at(-1)
  if (last && !last.isCode && /^#{1,6}[ \t]/.test(last.text))
    return id === undefined
      ? lines
      : [...lines.slice(0, -1), { ...last, text: `${last.text.trimEnd()} {${id}}` }]
  for (const word of words) {
    const name = /^\.([\w-]{1,60}?)(?:-title)?$/.exec(word)?.[1]
    const title = name === undefined ? undefined : callouts.get(name)
    const style =
      name === undefined ? undefined : (hintStyle(name) ?? (title === undefined ? undefined : 'info'))
    if (style !== undefined) return hintBlock(lines, style, title ?? '', word.endsWith('-title'))
  }
  return lines
}

/** A paragraph or a quote as a hint. The first line of a quote with its own title is the title. */
function hintBlock(
  lines: readonly DialectLine[],
  style: string,
  title: string,
  hasTitle: boolean,
): DialectLine[] {
  const inside = lines.map(({ text, isCode }) => (isCode ? text : text.replace(/^ {0,3}> ?/, '')))
  const own = hasTitle ? inside.shift() : title
  const head = own === undefined || own.trim() === '' ? [] : [`**${printTitle(own.trim())}**`, '']
  const rest = hasTitle && inside[0]?.trim() === '' ? inside.slice(1) : inside
  return dialectLines([`{% hint style="${style}" %}`, ...head, ...rest, '{% endhint %}'].join('\n'))
}

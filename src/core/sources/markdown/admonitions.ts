/** Blocks that Markdown of static site generators writes in its own ways: `:::note` and `!!! note`. */
import { needItem, needLast } from '../../data/lists.ts'
import { printTitle } from '../../document/print.ts'
import type { DialectLine } from './dialect.ts'
import { hintStyle } from '../html/callouts.ts'

/** A block that is open, with the lines that end it. */
interface OpenBlock {
  /** The colons that end it. */
  colons: number
  end: readonly DialectLine[]
}

/** The lines around a block. */
interface Around {
  start: readonly DialectLine[]
  end: readonly DialectLine[]
}

/** Turns `:::note Title` and `:::note[Title]` of Docusaurus and `::: details Title` of VitePress into blocks. */
export function colonBlocks(lines: readonly DialectLine[]): DialectLine[] {
  const output: DialectLine[] = []
  const open: OpenBlock[] = []
  const add = (some: readonly DialectLine[]) => {
    for (const line of some) output.push(line)
  }
  // Blocks of a kind without titles share their lines.
  const untitled = new Map<string, Around>()
  const around = (kind: string, title: string): Around => {
    const known = title === '' ? untitled.get(kind) : undefined
    if (known) return known
    const { start = [], end = [] } = blockOf(kind, title) ?? {}
    const made = { start: start.map(asText), end: end.map(asText) }
    if (title === '') untitled.set(kind, made)
    return made
  }
  for (const line of lines) {
    const fence = line.isCode ? null : /^[ \t]{0,20}(:{3,20})[ \t]*([\w-]{0,30})(.*)$/.exec(line.text)
    if (!fence) {
      output.push(line)
      continue
    }
    const [, colons = '', kind = '', rest = ''] = fence
    if (kind === '') {
      const last = open.at(-1)
      if (last && rest.trim() === '' && colons.length >= last.colons) {
        open.pop()
        add(last.end)
      } else output.push(line)
      continue
    }
    const { start, end } = around(kind, admonitionTitle(rest))
    open.push({ colons: colons.length, end })
    add(start)
  }
  for (const { end } of open.toReversed()) add(end)
  return output
}

const asText = (text: string): DialectLine => ({ text, isCode: false })

function admonitionTitle(rest: string): string {
  const written = rest.replace(/\{[^{}]{0,200}\}[ \t]*$/, '').trim()
  return /^\[(.*)\]$/.exec(written)?.[1] ?? written
}

/** The lines around a block; undefined for a kind that only groups. */
export function blockOf(kind: string, title: string): { start: string[]; end: string[] } | undefined {
  if (kind === 'details') return detailsLines(title || 'Details')
  const style = hintStyle(kind)
  if (style === undefined) return undefined
  const head = title === '' ? [] : [`**${printTitle(title.replace(/\*{1,3}|`/g, ''))}**`, '']
  return { start: [`{% hint style="${style}" %}`, ...head], end: ['{% endhint %}'] }
}

/** The lines around a block that can be opened. */
export function detailsLines(title: string): { start: string[]; end: string[] } {
  const text = title.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign)
  return { start: ['<details>', '', `<summary>${text}</summary>`, ''], end: ['', '</details>'] }
}

/** A block whose content is indented, and that is open. */
interface IndentedBlock {
  /** The indentation of its content. */
  indent: number
  end: string[]
  isTab: boolean
}

const BLOCK_LINE = /^\s*(!!!|\?\?\?\+?|===)[ \t]+(.*)$/

/**
 * Turns `!!! note "Title"`, `??? note` and `=== "Tab"` of MkDocs, whose content is indented, into blocks. Code that does not
 * end is ended by the block that it is in.
 */
export function indentedBlocks(source: readonly string[]): string[] {
  const output: string[] = []
  const open: IndentedBlock[] = []
  let blank = 0
  let fence: OpenFence | undefined
  const flushBlank = () => {
    for (; blank > 0; blank -= 1) output.push('')
  }
  const close = () => {
    const last = open.pop()
    for (const line of last?.end ?? []) output.push(line)
  }
  for (const [at, line] of source.entries()) {
    if (line.trim() === '') {
      blank += 1
      continue
    }
    const indent = widthOf(line)
    const inner = open.at(-1)?.indent ?? 0
    if (fence && indent < inner && at > fence.last) {
      // Code may have less indentation than its block, if its end is in the block.
      fence.last = endOfFence(source, at, fence.sign, inner) ?? -1
      if (fence.last === -1) {
        if (fence.isEmpty) output.pop()
        else output.push(fence.sign)
        fence = undefined
      }
    }
    const opening = fence === undefined ? BLOCK_LINE.exec(line) : null
    const level = fence === undefined ? indent : Infinity
    while (open.length > 0 && level < needLast(open).indent) {
      const last = needLast(open)
      const next = opening?.[1] === '===' && indent === last.indent - 4
      const { isTab } = last
      close()
      if (isTab && !next) output.push('{% endtabs %}')
    }
    const wasTab = output.at(-1) === '{% endtab %}'
    flushBlank()
    const own = line.slice(Math.min(line.length - line.trimStart().length, open.at(-1)?.indent ?? 0))
    const sign = /^\s*(`{3,}(?!.*`)|~{3,})/.exec(own)?.[1]
    if (fence) {
      fence.isEmpty = false
      if (sign !== undefined && own.trim() === sign && sign.startsWith(fence.sign)) fence = undefined
    } else if (sign !== undefined) fence = { sign, last: -1, isEmpty: true }
    const [, mark = '', title = ''] = opening ?? []
    const block = opening && indentedBlock(mark, title)
    if (!block) {
      output.push(own)
      continue
    }
    if (mark === '===' && !wasTab) output.push('{% tabs %}')
    for (const text of block.start) output.push(text)
    open.push({ indent: indent + 4, end: block.end, isTab: mark === '===' })
  }
  while (open.length > 0) {
    const { isTab } = needLast(open)
    close()
    if (isTab) output.push('{% endtabs %}')
  }
  flushBlank()
  return output
}

/** Code that is open in indented blocks. */
interface OpenFence {
  sign: string
  /** The line with its end, if a line with less indentation has asked for it; -1 if not. */
  last: number
  /** Whether no line of code has come. */
  isEmpty: boolean
}

/** The line that ends a fence within its block; undefined if another block begins before. */
function endOfFence(
  source: readonly string[],
  from: number,
  sign: string,
  inner: number,
): number | undefined {
  for (let at = from; at < source.length; at += 1) {
    const line = needItem(source, at)
    const text = line.trim()
    if (widthOf(line) < inner) {
      if (BLOCK_LINE.test(line)) return undefined
    } else if (text.startsWith(sign) && /^(?:`+|~+)$/.test(text)) return at
  }
  return undefined
}

function indentedBlock(sign: string, rest: string): { start: string[]; end: string[] } | undefined {
  const title = /"([^"]{0,300})"\s*$/.exec(rest)?.[1]
  if (sign === '===')
    return title === undefined
      ? undefined
      : { start: [`{% tab title="${title.replace(/[\\"]/g, '')}" %}`], end: ['{% endtab %}'] }
  const kind = /^([\w-]{1,30})/.exec(rest.trim())?.[1]?.toLowerCase()
  if (kind === undefined) return undefined
  if (sign !== '!!!') return detailsLines(title ?? kind.charAt(0).toUpperCase() + kind.slice(1))
  return blockOf(kind, title ?? '') ?? blockOf('note', title ?? kind)
}

function widthOf(line: string): number {
  let width = 0
  for (const sign of line) {
    if (sign === ' ') width += 1
    else if (sign === '\t') width += 4
    else break
  }
  return width
}

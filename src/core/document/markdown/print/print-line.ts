import { line as joinRuns, sameMark } from '../../build.ts'
import type { Line, InlineRun } from '../../build.ts'
import type { Block, BlockOf, Inline, InlineType, Mark } from '../../model.ts'
import type { SourceMap } from '../reading.ts'
import { isCjkPunctuation } from '../cjk.ts'
import { attribute, escapeHtmlText, escapeText, firstOfText } from './escape.ts'
import { leavesOf, marksOf, withNaturalSpaces } from './natural-spaces.ts'

/** The context of a line: Markdown, a cell of a pipe table, HTML, or `<pre>`. */
export type PrintPlace = 'markdown' | 'cell' | 'html' | 'pre'

/** The state of printing one document. */
export interface Printing {
  /** The label of a footnote, which is printed behind the document unless it has been. */
  labelOf(blocks: Block[]): string
  /** The tags to print of conditions of which the line has not both. */
  tagsInLine?: SourceMap['tagsInLine']
  /** Whether HTML stands in a cell of a pipe table, where its text is Markdown. */
  inCell?: true
  /** The printers below call one another recursively. Passing them in avoids circular imports. */
  printInline(
    run: Inline,
    open: Mark[],
    previous: InlineRun | undefined,
    next: InlineRun | undefined,
    around: Around,
  ): string
  printList(list: List, printing: Printing, other: boolean): string
  printHtmlTable(table: BlockOf<'table'>, printing: Printing): string
}

/** A list of any kind. */
export type List = BlockOf<'list-unordered' | 'list-ordered' | 'list-tasks'>

/** Whether a block is a list. */
export function isListBlock(block: Block | undefined): block is List {
  return block?.type === 'list-unordered' || block?.type === 'list-ordered' || block?.type === 'list-tasks'
}

/** Prints a line. The caller protects the space at its ends. */
export function printRuns(nodes: Line, place: PrintPlace, printing: Printing): string {
  const runs = nodes.flatMap((node): InlineRun[] => (node.object === 'text' ? node.leaves : [node]))
  const natural = place === 'pre' ? runs : withNaturalSpaces(merged(runs), true)
  return print(merged(natural), [], { place, printing, before: '', after: '' })
}

/** The surroundings of a part of a line. */
export interface Around {
  place: PrintPlace
  printing: Printing
  /** The characters beside what is printed, as the parser will see them; '' at an end of the line. */
  before: string
  after: string
}

/** Removes empty runs, and joins adjacent runs with equal marks. */
export function merged(runs: InlineRun[]): InlineRun[] {
  return joinRuns(runs)
    .flatMap((node): InlineRun[] => (node.object === 'text' ? node.leaves : [node]))
    .filter((run) => !('marks' in run) || run.text !== '')
}

/**
 * Prints runs within marks that are already open. The mark that spans the most runs comes first, so that marks nest.
 */
export function print(runs: InlineRun[], open: Mark[], around: Around): string {
  let output = ''
  let { before } = around
  for (let index = 0; index < runs.length;) {
    const run = runs[index] as InlineRun
    const [mark, length] = longestMark(runs, index, open)
    const end = index + length
    const beside = { ...around, before, after: firstChar(runs[end], open) ?? around.after }
    const printed = mark
      ? wrap(mark, runs.slice(index, end), [...open, mark], beside)
      : 'marks' in run
        ? printText(run.text, beside, {
            before: open.length === 0 && canHaveBreak(runs[index - 1]),
            after: open.length === 0 && canHaveBreak(runs[end]),
          })
        : around.printing.printInline(run, open, runs[index - 1], runs[end], beside)
    output += printed
    before = printed.at(-1) ?? before
    index = end
  }
  return output
}

const ORDER: Mark['type'][] = [
  'color',
  'bold',
  'italic',
  'strikethrough',
  'superscript',
  'subscript',
  'keyboard',
  'code',
]

function longestMark(runs: InlineRun[], from: number, open: Mark[]): [Mark | undefined, number] {
  const run = runs[from]
  const marks = run ? marksOf(run).filter((mark) => !open.some((other) => sameMark(mark, other))) : []
  let longest: [Mark | undefined, number] = [undefined, 1]
  for (const mark of marks.toSorted((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type))) {
    const reach = mark.type === 'code' ? 1 : reachOf(mark, runs, from)
    if (!longest[0] || reach > longest[1]) longest = [mark, reach]
  }
  return longest
}

/** The number of runs that share a mark. An inline without text counts if the mark continues after it. */
function reachOf(mark: Mark, runs: InlineRun[], from: number): number {
  let reach = 1
  for (let index = from + 1; index < runs.length; index += 1) {
    const run = runs[index] as InlineRun
    if (marksOf(run).some((other) => sameMark(other, mark))) reach = index + 1 - from
    else if ('marks' in run || !isBare(run)) break
  }
  return reach
}

/** True for an inline without text that could carry a mark. */
function isBare(run: Inline): boolean {
  return run.type !== 'inline-html' && leavesOf(run).length === 0
}

/** The signs of marks. Between letters, an underscore is none, so an asterisk stands there. */
const SIGNS: Partial<Record<Mark['type'], readonly string[]>> = {
  bold: ['**'],
  italic: ['_', '*'],
  strikethrough: ['~~'],
}
const ELEMENTS: Record<Exclude<Mark['type'], 'color'>, string> = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 'del',
  code: 'code',
  keyboard: 'kbd',
  superscript: 'sup',
  subscript: 'sub',
}

function wrap(mark: Mark, runs: InlineRun[], open: Mark[], around: Around): string {
  const markdown = around.place === 'markdown' || around.place === 'cell'
  const [run] = runs
  if (mark.type === 'code' && markdown && run && 'marks' in run && isCodeSpan(run.text, around))
    return codeSpan(run.text)

  const inner = print(runs, open, { ...around, before: '>', after: '<' })
  // Within other marks, an asterisk could be taken for a part of their signs.
  const signs = markdown ? (SIGNS[mark.type] ?? []).slice(0, open.length > 1 ? 1 : undefined) : []
  const sign = signs.find((one) => flanks(one, inner, around))
  if (sign !== undefined) return `${sign}${inner}${sign}`
  if (mark.type !== 'color') return `<${ELEMENTS[mark.type]}>${inner}</${ELEMENTS[mark.type]}>`

  const { text, background } = mark.data
  const style = [text && `color:${text};`, background && `background-color:${background};`]
    .filter(Boolean)
    .join('')
  return style === '' ? inner : `<mark${attribute('style', style)}>${inner}</mark>`
}

/**
 * True if the signs open and close here, by the rules for flanking (CommonMark 6.2) and for CJK text. Parsers differ in
 * their tables of punctuation, so a doubtful character counts as punctuation.
 */
function flanks(sign: string, inner: string, { before, after }: Around): boolean {
  const [first, last] = [inner[0] ?? ' ', inner.at(-1) ?? ' ']
  const signed = /[\p{P}\p{S}\p{Cn}\p{Co}\p{Cs}]/u
  const free = (char: string) => char === '' || /[ \n!-/:-@[-`{-~]/.test(char)
  if (/\s/u.test(first) || /\s/u.test(last)) return false
  const apart = (char: string, beside: string) =>
    free(beside) || (sign !== '_' && isCjkPunctuation(char) && /[\p{L}\p{N}]/u.test(beside))
  if (signed.test(first) && !apart(first, before)) return false
  if (signed.test(last) && !apart(last, after)) return false
  if (before === sign[0] || after === sign[0] || first === sign[0] || last === sign[0]) return false
  return sign !== '_' || (free(before) && free(after))
}

/** Whether a code span in backquotes can hold the text unchanged. */
function isCodeSpan(text: string, { place }: Around): boolean {
  return text !== '' && !/[\r\n]/.test(text) && !(place === 'cell' && barsBehindSlashes(text))
}

/**
 * Whether a bar follows an odd number of backslashes. In code or mathematics in a cell, another one before the bar would
 * not escape it.
 */
export function barsBehindSlashes(text: string): boolean {
  return /(?<!\\)(?:\\\\)*\\\|/.test(text)
}

function codeSpan(text: string): string {
  const runs: string[] = text.match(/`+/g) ?? []
  let fence = '`'
  while (runs.includes(fence)) fence += '`'
  // Of a span that is not blank, Markdown drops a space at both ends if there is one at each (CommonMark 6.1).
  const [first, last] = [text[0], text.at(-1)]
  const isPadded = first === ' ' && last === ' ' && text.trim() !== ''
  const pad = first === '`' || last === '`' || isPadded ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}

/** Whether a break of the line can be beside a run, outside of its marks: a letter or a sign of Markdown is there. */
function canHaveBreak(run: InlineRun | undefined): boolean {
  return run !== undefined && ('marks' in run || BESIDE_BREAKS.has(run.type))
}

const BESIDE_BREAKS = new Set<InlineType>(['link', 'inline-image', 'emoji', 'inline-math', 'mention'])

/** @param isInLine whether what is before and after the text is in its line and can have a break beside it */
function printText(
  text: string,
  { place, after }: Around,
  isInLine: { before: boolean; after: boolean },
): string {
  if (place === 'pre') return escapeHtmlText(text).replaceAll('&#xA;', '\n')
  if (place === 'html') return text.split('\n').map(escapeHtmlText).join('<br>')

  const parts = text
    .split('\n')
    .map((part, index, all) => escapeText(part, index + 1 < all.length ? '<' : after))
  if (place === 'cell') return parts.join('<br>')
  return parts.reduce((done, part, index) => {
    // A backslash breaks a line only within it. At either edge it would be a literal backslash.
    const isBehind = parts[index - 1] !== '' || (index === 1 && isInLine.before)
    const isBefore = part !== '' || (index === parts.length - 1 && isInLine.after)
    const between = isBehind && isBefore
    return `${done}${between ? '\n' : '<br>'}${part}`
  })
}

/**
 * The first character of the next run, as Markdown text shows it. For a run that is printed with signs, any sign is
 * enough.
 */
function firstChar(run: InlineRun | undefined, open: Mark[]): string | undefined {
  if (!run) return undefined
  if ('marks' in run) return isWithin(run.marks, open) ? firstOfText(run.text) : '<'
  if (run.type !== 'annotation') return FIRST[run.type] ?? '<'
  const [leaf] = leavesOf(run)
  return leaf && isWithin(leaf.marks, open) ? firstOfText(leaf.text) : '<'
}

const FIRST: Partial<Record<InlineType, string>> = { emoji: ':', link: '[', mention: '[', 'inline-math': '$' }

function isWithin(marks: Mark[], open: Mark[]): boolean {
  return marks.every((mark) => open.some((other) => sameMark(mark, other)))
}

import { line as joinRuns, sameMark } from '../build.ts'
import type { Line, Run } from '../build.ts'
import type { Block, Inline, InlineType, Mark } from '../model.ts'
import { attribute, escapeHtml, escapeText, firstOfText } from './escape.ts'
import { printInline } from './print-inline.ts'

/** Where a line stands: in Markdown, in a pipe table's cell, in HTML, or in `<pre>`. */
export type Place = 'markdown' | 'cell' | 'html' | 'pre'

/** What printing one document gathers: the bodies of its annotations, printed as footnotes after its blocks. */
export interface Printing {
  footnotes: { label: string; blocks: Block[] }[]
  /** The label of the next footnote, from how many there are. */
  label(count: number): string
}

/** Prints a line without what its place does at its ends. */
export function printRuns(nodes: Line, place: Place, printing: Printing): string {
  const runs = nodes.flatMap((node): Run[] => (node.object === 'text' ? node.leaves : [node]))
  return print(merged(runs), [], { place, printing, before: '', after: '' })
}

/** Where something in a line is printed. */
export interface Around {
  place: Place
  printing: Printing
  /** The characters beside what is printed, as the parser will see them; '' at an end of the line. */
  before: string
  after: string
}

/** The runs without empty ones, neighbours with equal marks joined. */
export function merged(runs: Run[]): Run[] {
  return joinRuns(runs)
    .flatMap((node): Run[] => (node.object === 'text' ? node.leaves : [node]))
    .filter((run) => !('marks' in run) || run.text !== '')
}

/** Prints runs within marks that are already open: the longest shared mark first, so that marks nest. */
export function print(runs: Run[], open: Mark[], around: Around): string {
  let output = ''
  let { before } = around
  for (let index = 0; index < runs.length;) {
    const run = runs[index] as Run
    const [mark, length] = longestMark(runs, index, open)
    const end = index + length
    const beside = { ...around, before, after: firstChar(runs[end], open) ?? around.after }
    const printed = mark
      ? wrap(mark, runs.slice(index, end), [...open, mark], beside)
      : 'marks' in run
        ? printText(run.text, beside)
        : printInline(run, open, runs[index - 1], runs[end], beside)
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

function longestMark(runs: Run[], from: number, open: Mark[]): [Mark | undefined, number] {
  const run = runs[from]
  const marks = run ? marksOf(run).filter((mark) => !open.some((other) => sameMark(mark, other))) : []
  let longest: [Mark | undefined, number] = [undefined, 1]
  for (const mark of marks.toSorted((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type))) {
    const reach = mark.type === 'code' ? 1 : reachOf(mark, runs, from)
    if (!longest[0] || reach > longest[1]) longest = [mark, reach]
  }
  return longest
}

/** How many runs share a mark. What carries no marks goes along if the mark goes on behind it. */
function reachOf(mark: Mark, runs: Run[], from: number): number {
  let reach = 1
  for (let index = from + 1; index < runs.length; index += 1) {
    const run = runs[index] as Run
    if (marksOf(run).some((other) => sameMark(other, mark))) reach = index + 1 - from
    else if ('marks' in run || !isBare(run)) break
  }
  return reach
}

/** True for an inline that has no text of its own to carry a mark. */
function isBare(run: Inline): boolean {
  return run.type !== 'inline-html' && leavesOf(run).length === 0
}

/** The marks of a run; those of a link are what all its text has. */
function marksOf(run: Run): Mark[] {
  if ('marks' in run) return run.marks
  const [first, ...others] = leavesOf(run)
  return (first?.marks ?? []).filter(
    (mark) =>
      mark.type !== 'code' && others.every((leaf) => leaf.marks.some((other) => sameMark(other, mark))),
  )
}

/** The text in an inline, however deep. */
export function leavesOf(run: Inline): { text: string; marks: Mark[] }[] {
  return (run.nodes ?? [])
    .flatMap((node) => (node.object === 'text' ? node.leaves : leavesOf(node)))
    .filter((leaf) => leaf.text !== '')
}

const SIGNS: Partial<Record<Mark['type'], string>> = { bold: '**', italic: '_', strikethrough: '~~' }
const ELEMENTS: Record<Exclude<Mark['type'], 'color'>, string> = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 'del',
  code: 'code',
  keyboard: 'kbd',
  superscript: 'sup',
  subscript: 'sub',
}

function wrap(mark: Mark, runs: Run[], open: Mark[], around: Around): string {
  const markdown = around.place === 'markdown' || around.place === 'cell'
  const [run] = runs
  if (mark.type === 'code' && markdown && run && 'marks' in run && isCodeSpan(run.text))
    return codeSpan(run.text)

  const inner = print(runs, open, { ...around, before: '>', after: '<' })
  const sign = markdown ? SIGNS[mark.type] : undefined
  if (sign !== undefined && flanks(sign, inner, around)) return `${sign}${inner}${sign}`
  if (mark.type !== 'color') return `<${ELEMENTS[mark.type]}>${inner}</${ELEMENTS[mark.type]}>`

  const { text, background } = mark.data
  const style = [text && `color:${text};`, background && `background-color:${background};`]
    .filter(Boolean)
    .join('')
  return style === '' ? inner : `<mark${attribute('style', style)}>${inner}</mark>`
}

/**
 * True if the signs open and close here, by the rules for flanking (CommonMark 6.2), where they depend on what a
 * parser takes for punctuation to the safe side.
 */
function flanks(sign: string, inner: string, { before, after }: Around): boolean {
  const [first, last] = [inner[0] ?? ' ', inner.at(-1) ?? ' ']
  const signed = /[\p{P}\p{S}\p{Cn}\p{Co}\p{Cs}]/u
  const free = (char: string) => char === '' || /[ \n!-/:-@[-`{-~]/.test(char)
  if (/\s/u.test(first) || /\s/u.test(last)) return false
  if (signed.test(first) && !free(before)) return false
  if (signed.test(last) && !free(after)) return false
  if (before === sign[0] || after === sign[0] || first === sign[0] || last === sign[0]) return false
  return sign !== '_' || (free(before) && free(after))
}

/** Text that a code span between backquotes can hold as it is. */
function isCodeSpan(text: string): boolean {
  return text !== '' && !/[\r\n|]|^\s|\s$/u.test(text)
}

function codeSpan(text: string): string {
  const runs: string[] = text.match(/`+/g) ?? []
  let fence = '`'
  while (runs.includes(fence)) fence += '`'
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}

function printText(text: string, { place, after }: Around): string {
  if (place === 'pre') return escapeHtml(text).replaceAll('&#xA;', '\n')
  if (place === 'html') return text.split('\n').map(escapeHtml).join('<br>')

  const parts = text
    .split('\n')
    .map((part, index, all) => escapeText(part, index + 1 < all.length ? '<' : after))
  if (place === 'cell') return parts.join('<br>').replaceAll('|', '\\|')
  return parts.reduce((done, part, index) => {
    // A backslash breaks a line only between text; at the edges of anything it would be a backslash.
    const between = parts[index - 1] !== '' && part !== ''
    return `${done}${between ? '\n' : '<br>'}${part}`
  })
}

/** The first character of what follows, as Markdown text shows it; a sign stands for all that is printed with signs. */
function firstChar(run: Run | undefined, open: Mark[]): string | undefined {
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

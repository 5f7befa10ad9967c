/** Lines of reStructuredText, and the blocks that their indentation makes. */
import { needItem } from '../../../../data/lists.ts'

/** A line of a page, with its number in the file, from 1. */
export interface RstLine {
  text: string
  line: number
}

/** The columns before the text of a line. */
export const rstIndent = (text: string) => text.length - text.trimStart().length
/** Whether a line is empty, or behind the end. */
export const isBlankRst = (line: RstLine | undefined) => line === undefined || line.text === ''

/** The length of the longest fence with which a line begins, and at least 2. */
export const longestFence = (lines: readonly RstLine[], sign: string) =>
  lines.reduce((most, { text }) => Math.max(most, fenceLength(text, sign)), 2)

const fenceLength = (text: string, sign: string) =>
  sign === '`'
    ? (/^\s*(`{3,})/.exec(text)?.[1]?.length ?? 0)
    : (/^[\s>*\d.]*(:{3,})/.exec(text)?.[1]?.length ?? 0)

/** Where lines end that are indented by some columns, without the empty lines behind them. */
export function endOfIndentedRst(lines: readonly RstLine[], from: number, columns: number): number {
  let end = from
  for (let at = from; at < lines.length; at += 1) {
    const { text } = needItem(lines, at)
    if (text === '') continue
    if (rstIndent(text) < columns) break
    end = at + 1
  }
  return end
}

/** Where the lines end that no empty line divides. */
export function endOfRstParagraph(lines: readonly RstLine[], from: number): number {
  let end = from + 1
  while (end < lines.length && !isBlankRst(lines[end])) end += 1
  return end
}

/** The most lines of a simple table that has empty lines. */
const LONGEST_TABLE = 300

/** A simple table ends at its second line of `=` that an empty line follows. */
export function endOfSimpleTable(lines: readonly RstLine[], from: number): number {
  for (let at = from + 1; at < Math.min(lines.length, from + LONGEST_TABLE); at += 1)
    if (/^=[= ]*$/.test(needItem(lines, at).text) && isBlankRst(lines[at + 1])) return at + 1
  return endOfRstParagraph(lines, from)
}

/** The columns before the text of all lines. */
export const leastRstIndent = (lines: readonly RstLine[]) => {
  const least = lines.reduce(
    (most, { text }) => (text === '' ? most : Math.min(most, rstIndent(text))),
    Infinity,
  )
  return least === Infinity ? 0 : least
}

/** Lines without some columns at their beginning. */
export const outdentedRst = (lines: readonly RstLine[], columns: number): RstLine[] =>
  lines.map((one) => ({ ...one, text: one.text.slice(Math.min(columns, rstIndent(one.text))) }))

/** Lines with a text before the first, and another before the others. Empty ends are left out. */
export function prefixedRst(lines: readonly RstLine[], first: string, others: string): RstLine[] {
  const start = lines.findIndex((one) => one.text !== '')
  if (start === -1) return []
  const last = lines.findLastIndex((one) => one.text !== '')
  return lines.slice(start, last + 1).map((one, at) => ({
    ...one,
    text: at === 0 ? first + one.text : one.text === '' ? others.trimEnd() : others + one.text,
  }))
}

/** Lines as a block of code. */
export function fencedRst(language: string, lines: readonly RstLine[], line: number): RstLine[] {
  const fence = '`'.repeat(longestFence(lines, '`') + 1)
  return [{ text: fence + language, line }, ...lines, { text: fence, line }]
}

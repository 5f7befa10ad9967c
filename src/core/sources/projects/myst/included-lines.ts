/** The part of a file that `{include}` and `{literalinclude}` select by their options. */
import { greatest } from '../../../data/lists.ts'

/** The lines that options select. A text that is not found selects nothing more or less. */
export function selectedLines(text: string, options: ReadonlyMap<string, string>): string[] {
  const all = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
  let [start, end] = [number(options.get('start-line')) ?? 0, number(options.get('end-line')) ?? all.length]
  if (start < 0) start += all.length
  if (end < 0) end += all.length
  const find = (name: string, from: number) => {
    const wanted = options.get(name)
    const found =
      wanted === undefined || wanted === ''
        ? -1
        : all.findIndex((line, at) => at >= from && line.includes(wanted))
    return found === -1 ? undefined : found
  }
  const at = find('start-at', start)
  const after = find('start-after', start)
  if (at !== undefined) start = at
  else if (after !== undefined) start = after + 1
  const last = find('end-at', start)
  const before = find('end-before', start)
  if (last !== undefined) end = last + 1
  else if (before !== undefined) end = before
  const lines = all.slice(Math.max(0, start), Math.max(0, end))
  const ranges = options.get('lines')
  return ranges === undefined ? lines : linesIn(lines, ranges)
}

/** The most ranges of lines. */
const MOST_RANGES = 100

function linesIn(lines: readonly string[], ranges: string): string[] {
  return ranges
    .split(',', MOST_RANGES)
    .flatMap((range) => {
      const [, from, dash, to] = /^\s*(\d{1,7})?\s*(-)?\s*(\d{1,7})?\s*$/.exec(range) ?? []
      if (from === undefined && to === undefined) return []
      const start = Number(from ?? 1) - 1
      return lines.slice(start, dash === undefined ? start + 1 : to === undefined ? undefined : Number(to))
    })
    .slice(0, lines.length)
}

const number = (text: string | undefined) =>
  text !== undefined && /^-?\d{1,7}$/.test(text.trim()) ? Number(text) : undefined

/** The lines of a block of code with a fence that is longer than those in it. */
export function fencedLines(info: string, lines: readonly string[]): string[] {
  const longest = greatest(
    lines.map((line) => /^[ \t]*(`{3,})/.exec(line)?.[1]?.length ?? 0),
    2,
  )
  const sign = '`'.repeat(longest + 1)
  return [`${sign}${info}`, ...lines, sign]
}

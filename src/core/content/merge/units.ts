/** Splits a source into the units of a merge: blocks, as runs of whole lines. */
import { frontMatterEnd } from '../../document/front-matter.ts'
import { parsePage } from '../../document/parse.ts'
import { splitLines, type Range } from '../line-merge.ts'

/** The lines of a source, and the line range of each block. Only blank lines separate the ranges. */
export interface Units {
  readonly lines: readonly string[]
  readonly ranges: readonly Range[]
}

/**
 * Splits the body of a page into units. A unit is a block of the document, or text that displays nothing and so is no
 * block, such as the title's heading. Blocks that share a line are one unit.
 */
export function unitsOf(source: string): Units {
  const offset = frontMatterEnd(source)
  const lines = splitLines(source.slice(offset))
  const starts: number[] = []
  let length = offset
  for (const line of lines) {
    starts.push(length)
    length += line.length
  }

  const ranges: [number, number][] = []
  const add = (start: number, end: number) => {
    const last = ranges.at(-1)
    if (last && start < last[1]) last[1] = Math.max(last[1], end)
    else ranges.push([start, end])
  }
  // Text between blocks that is not blank is a unit too. Such a unit ends at a blank line.
  const addBetween = (from: number, to: number) => {
    for (let line = from; line < to; line++) {
      if (isBlankUnit(lines[line]!)) continue
      const start = line
      while (line < to && !isBlankUnit(lines[line]!)) line++
      add(start, line)
    }
  }

  let line = 0
  let done = 0
  for (const span of parsePage(source).spans.toSorted((a, b) => a.start - b.start)) {
    if (span.end <= span.start) continue
    while (line + 1 < lines.length && starts[line + 1]! <= span.start) line++
    const start = line
    while (line + 1 < lines.length && starts[line + 1]! < span.end) line++
    addBetween(done, start)
    add(...trimmed(lines, start, line + 1))
    done = Math.max(done, line + 1)
  }
  addBetween(done, lines.length)
  return { lines, ranges }
}

function trimmed(lines: readonly string[], start: number, end: number): [number, number] {
  let [from, to] = [start, end]
  while (to - from > 1 && isBlankUnit(lines[to - 1]!)) to--
  while (to - from > 1 && isBlankUnit(lines[from]!)) from++
  return [from, to]
}

export function isBlankUnit(line: string): boolean {
  return line.trim() === ''
}

/** A line's text without its line break. */
export function withoutBreak(text: string): string {
  return text.replace(/\r?\n$/, '')
}

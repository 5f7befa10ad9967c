/** The blocks of a source as runs of whole lines: what a merge takes apart and puts together again. */
import { frontMatterEnd } from '../document/front-matter.ts'
import { parsePage } from '../document/parse.ts'
import { splitLines, type Range } from './lines.ts'

/** A source in lines, and which of them are a block each; between blocks there are only blank lines. */
export interface Units {
  readonly lines: readonly string[]
  readonly ranges: readonly Range[]
}

/**
 * Takes the body of a page apart. A unit is a block of the document, or what shows nothing and so is no block, such
 * as the title's heading. Blocks that share a line are one unit.
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
  // What is not blank between the blocks is a unit too, from one blank line to the next.
  const addBetween = (from: number, to: number) => {
    for (let line = from; line < to; line++) {
      if (isBlank(lines[line]!)) continue
      const start = line
      while (line < to && !isBlank(lines[line]!)) line++
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
  while (to - from > 1 && isBlank(lines[to - 1]!)) to--
  while (to - from > 1 && isBlank(lines[from]!)) from++
  return [from, to]
}

export function isBlank(line: string): boolean {
  return line.trim() === ''
}

/** A line's text without its line break. */
export function withoutBreak(text: string): string {
  return text.replace(/\r?\n$/, '')
}

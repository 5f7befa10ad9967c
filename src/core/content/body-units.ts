/** Splits a body into the units of merging and reverting: blocks, as runs of whole lines. */
import { append } from '../lists.ts'
import { frontMatterEnd } from '../document/front-matter.ts'
import type { Block } from '../document/model.ts'
import { parsePage } from '../document/parse.ts'
import { splitLines, type Range } from './line-merge.ts'

/** The lines of a body, and the line range of each unit. Only blank lines separate the ranges. */
export interface Units {
  readonly lines: readonly string[]
  readonly ranges: readonly Range[]
  /** The blocks of the document in each range; none for text that displays nothing. */
  readonly nodes: readonly (readonly Block[])[]
}

/** A run of blocks: their texts without the last line break, and the gaps before, between and after them. */
export interface BlockRun {
  readonly blocks: readonly string[]
  /** There is one more gap than blocks. A gap is blank space, with the line break that ends the block before it. */
  readonly gaps: readonly string[]
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
  const nodes: Block[][] = []
  const add = (start: number, end: number, found: Block[]) => {
    const last = ranges.at(-1)
    if (last && start < last[1]) {
      last[1] = Math.max(last[1], end)
      append(nodes.at(-1)!, found)
      return
    }
    ranges.push([start, end])
    nodes.push(found)
  }
  // Text between blocks that is not blank is a unit too. Such a unit ends at a blank line.
  const addBetween = (from: number, to: number) => {
    for (let line = from; line < to; line++) {
      if (isBlankUnit(lines[line]!)) continue
      const start = line
      while (line < to && !isBlankUnit(lines[line]!)) line++
      add(start, line, [])
    }
  }

  let line = 0
  let done = 0
  const { document, spans } = parsePage(source)
  const placed = spans.map((span, i) => ({ ...span, block: document.nodes[i]! }))
  for (const { block, ...span } of placed.toSorted((a, b) => a.start - b.start)) {
    if (span.end <= span.start) continue
    while (line + 1 < lines.length && starts[line + 1]! <= span.start) line++
    const start = line
    while (line + 1 < lines.length && starts[line + 1]! < span.end) line++
    addBetween(done, start)
    const [from, to] = trimmed(lines, start, line + 1)
    add(from, to, [block])
    done = Math.max(done, line + 1)
  }
  addBetween(done, lines.length)
  return { lines, ranges, nodes }
}

function trimmed(lines: readonly string[], start: number, end: number): [number, number] {
  let [from, to] = [start, end]
  while (to - from > 1 && isBlankUnit(lines[to - 1]!)) to--
  while (to - from > 1 && isBlankUnit(lines[from]!)) from++
  return [from, to]
}

/** Splits a range of lines into a run, given the ranges of its blocks. */
export function runOf(lines: readonly string[], [start, end]: Range, ranges: readonly Range[]): BlockRun {
  const blocks: string[] = []
  const gaps: string[] = []
  let [at, ending] = [start, '']
  for (const [from, to] of ranges) {
    gaps.push(ending + lines.slice(at, from).join(''))
    const whole = lines.slice(from, to).join('')
    const text = withoutBreak(whole)
    blocks.push(text)
    ending = whole.slice(text.length)
    at = to
  }
  gaps.push(ending + lines.slice(at, end).join(''))
  return { blocks, gaps }
}

export function isBlankUnit(line: string): boolean {
  return line.trim() === ''
}

/** A line's text without its line break. */
export function withoutBreak(text: string): string {
  return text.replace(/\r?\n$/, '')
}

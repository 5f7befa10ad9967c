/** Splits a body into the units of merging and reverting: blocks, as runs of whole lines. */
import { append } from '../data/lists.ts'
import { frontMatterEnd } from '../document/front-matter.ts'
import type { Block, Span } from '../document/model.ts'
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
 * block, such as the title's heading. Blocks that share a line are one unit, and so are those that share a condition:
 * without one of them, the others would be open to all.
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
  const { document, spans, conditions = [] } = parsePage(source)
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
  return { lines, ...joinedWithin(conditions, starts, { ranges, nodes }) }
}

/** Joins the units that a condition begins in with those up to its end. @param starts the offset of each line */
function joinedWithin(
  conditions: readonly Span[],
  starts: readonly number[],
  { ranges, nodes }: Pick<Units, 'ranges' | 'nodes'>,
): Pick<Units, 'ranges' | 'nodes'> {
  if (conditions.length === 0) return { ranges, nodes }
  const joined: { ranges: [number, number][]; nodes: Block[][] } = { ranges: [], nodes: [] }
  let [next, hidden] = [0, 0]
  for (const [i, [start, end]] of ranges.entries()) {
    const last = joined.ranges.at(-1)
    if (last && starts[start]! < hidden) {
      last[1] = end
      append(joined.nodes.at(-1)!, nodes[i]!)
    } else {
      joined.ranges.push([start, end])
      joined.nodes.push([...nodes[i]!])
    }
    const until = starts[end] ?? Infinity
    for (; next < conditions.length && conditions[next]!.start < until; next++)
      hidden = Math.max(hidden, conditions[next]!.end)
  }
  return joined
}

function trimmed(lines: readonly string[], start: number, end: number): [number, number] {
  let [from, to] = [start, end]
  while (to - from > 1 && isBlankUnit(lines[to - 1]!)) to--
  while (to - from > 1 && isBlankUnit(lines[from]!)) from++
  return [from, to]
}

/** The units that start in a range of lines as a run; by default, those of all lines. */
export function runOf({ lines, ranges }: Units, [start, end]: Range = [0, lines.length]): BlockRun {
  const blocks: string[] = []
  const gaps: string[] = []
  let [at, ending] = [start, '']
  for (const [from, to] of within(ranges, [start, end])) {
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

/** The sorted ranges that start within another range. */
function within(ranges: readonly Range[], [start, end]: Range): Range[] {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[middle]![0] < start) low = middle + 1
    else high = middle
  }
  const found: Range[] = []
  for (let i = low; i < ranges.length && ranges[i]![0] < end; i++) found.push(ranges[i]!)
  return found
}

export function isBlankUnit(line: string): boolean {
  return line.trim() === ''
}

/** A line's text without its line break. */
export function withoutBreak(text: string): string {
  return text.replace(/\r?\n$/, '')
}

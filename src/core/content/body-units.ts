/** Splits a body into the units of merging and reverting: blocks, as runs of whole lines. */
import { append, firstIndex, needItem } from '../data/lists.ts'
import { frontMatterEnd } from '../document/front-matter/front-matter.ts'
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

  const units: Unit[] = []
  const add = (start: number, end: number, nodes: Block[]) => {
    const last = units.at(-1)
    if (last && start < last.end) {
      last.end = Math.max(last.end, end)
      append(last.nodes, nodes)
    } else units.push({ start, end, nodes })
  }
  // Text between blocks that is not blank is a unit too. Such a unit ends at a blank line.
  const addBetween = (from: number, to: number) => {
    for (let line = from; line < to; line++) {
      if (isBlankLine(lines, line)) continue
      const start = line
      while (line < to && !isBlankLine(lines, line)) line++
      add(start, line, [])
    }
  }

  let line = 0
  let done = 0
  const { document, spans, conditions = [] } = parsePage(source)
  const placed = spans.map((span, i) => ({ ...span, block: needItem(document.nodes, i) }))
  for (const { block, ...span } of placed.toSorted((a, b) => a.start - b.start)) {
    if (span.end <= span.start) continue
    while ((starts[line + 1] ?? Infinity) <= span.start) line++
    const start = line
    while ((starts[line + 1] ?? Infinity) < span.end) line++
    addBetween(done, start)
    const [from, to] = trimmed(lines, start, line + 1)
    add(from, to, [block])
    done = Math.max(done, line + 1)
  }
  addBetween(done, lines.length)
  const joined = joinedWithin(conditions, starts, units)
  return {
    lines,
    ranges: joined.map((unit) => [unit.start, unit.end]),
    nodes: joined.map(({ nodes }) => nodes),
  }
}

/** A unit: its lines, from `start` to before `end`, and its blocks. */
interface Unit {
  start: number
  end: number
  nodes: Block[]
}

/** Joins the units that a condition begins in with those up to its end. @param starts the offset of each line */
function joinedWithin(conditions: readonly Span[], starts: readonly number[], units: Unit[]): Unit[] {
  if (conditions.length === 0) return units
  const joined: Unit[] = []
  const following = conditions.values()
  let condition = following.next().value
  let hidden = 0
  for (const { start, end, nodes } of units) {
    const last = joined.at(-1)
    if (last && needItem(starts, start) < hidden) {
      last.end = end
      append(last.nodes, nodes)
    } else joined.push({ start, end, nodes })
    const until = starts[end] ?? Infinity
    for (; condition && condition.start < until; condition = following.next().value)
      hidden = Math.max(hidden, condition.end)
  }
  return joined
}

function trimmed(lines: readonly string[], start: number, end: number): [number, number] {
  let [from, to] = [start, end]
  while (to - from > 1 && isBlankLine(lines, to - 1)) to--
  while (to - from > 1 && isBlankLine(lines, from)) from++
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
  const firstAt = (line: number) => firstIndex(ranges, ([from]) => from >= line)
  return ranges.slice(firstAt(start), firstAt(end))
}

const isBlankLine = (lines: readonly string[], line: number) => isBlankUnit(needItem(lines, line))

export function isBlankUnit(line: string): boolean {
  return line.trim() === ''
}

/** A line's text without its line break. */
export function withoutBreak(text: string): string {
  return text.replace(/\r?\n$/, '')
}

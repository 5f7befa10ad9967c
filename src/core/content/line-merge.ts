/** Computes the differences between sequences of lines (Myers diff), and merges three sequences, as git does. */
import { needItem, smallest } from '../data/lists.ts'
import { type ChangedElements, compare, type Effort, MOST_STEPS, stepsFor } from './myers-diff.ts'

/** A hunk: `a[aStart, aEnd)` became `b[bStart, bEnd)`. */
export interface Hunk {
  aStart: number
  aEnd: number
  bStart: number
  bEnd: number
}

/** A half-open range. */
export type Range = readonly [start: number, end: number]

/**
 * A part of a merge of three sequences. It is unchanged, changed by one side, changed equally by both, or changed
 * differently by both. Adjacent changes of both sides count as one. The parts are consecutive in all three sequences.
 */
export interface Chunk {
  kind: 'same' | 'primary' | 'own' | 'both' | 'conflict'
  base: Range
  primary: Range
  own: Range
}

/** The lines of a text, each with its line break. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? []
}

/** Lines of three texts. */
export interface ThreeLines {
  readonly base: readonly string[]
  readonly primary: readonly string[]
  readonly own: readonly string[]
}

/** Merges three texts by lines, as git does. Returns undefined if they conflict. */
export function mergeLines(base: string, primary: string, own: string, effort: Effort): string | undefined {
  if (primary === own || own === base) return primary
  if (primary === base) return own
  const lines = { base: splitLines(base), primary: splitLines(primary), own: splitLines(own) }
  return textOfChunks(mergeSequences(lines, effort), lines)
}

/** The text of chunks; undefined if one is a conflict. */
export function textOfChunks(chunks: readonly Chunk[], lines: ThreeLines): string | undefined {
  if (chunks.some(({ kind }) => kind === 'conflict')) return undefined
  return chunks.map((chunk) => linesOfChunk(chunk, lines)).join('')
}

/** The text of a chunk that is not a conflict. */
export function linesOfChunk(chunk: Chunk, lines: ThreeLines): string {
  const from = chunk.kind === 'own' ? 'own' : 'primary'
  return lines[from].slice(...chunk[from]).join('')
}

/** Splits three sequences into chunks. */
export function mergeSequences({ base, primary, own }: ThreeLines, effort: Effort): Chunk[] {
  const [numbers, most] = numbersOf(base, primary, own)
  const [b, p, o] = numbers as [Int32Array, Int32Array, Int32Array]
  const steps = stepsFor(b.length + p.length + o.length, effort)
  const sides = [
    { hunks: hunksOf(b, p, compare(b, p, most, steps, effort)), next: 0, shift: 0 },
    { hunks: hunksOf(b, o, compare(b, o, most, steps, effort)), next: 0, shift: 0 },
  ] satisfies unknown[]
  const [left, right] = sides as [(typeof sides)[0], (typeof sides)[0]]
  const chunks: Chunk[] = []
  let at = 0
  const add = (kind: Chunk['kind'], end: number, shifts: readonly [number, number]) => {
    const range = (before: number, after: number): Range => [at + before, end + after]
    chunks.push({
      kind,
      base: [at, end],
      primary: range(left.shift, shifts[0]),
      own: range(right.shift, shifts[1]),
    })
    ;[left.shift, right.shift] = shifts
    at = end
  }

  for (;;) {
    const starts = sides.map(({ hunks, next }) => hunks[next]?.aStart ?? Infinity)
    const start = smallest(starts)
    if (start === Infinity) break
    if (start > at) add('same', start, [left.shift, right.shift])

    // A change that touches the chunk belongs to it.
    let end = start
    const shifts: [number, number] = [left.shift, right.shift]
    const changed = [false, false]
    for (let grown = true; grown;) {
      grown = false
      sides.forEach((side, i) => {
        const hunk = side.hunks[side.next]
        if (!hunk || hunk.aStart > end) return
        end = Math.max(end, hunk.aEnd)
        shifts[i] = hunk.bEnd - hunk.aEnd
        changed[i] = true
        side.next += 1
        grown = true
      })
    }
    const equal = () =>
      sameRange(p, [at + left.shift, end + shifts[0]], o, [at + right.shift, end + shifts[1]])
    if (!changed[1]) add('primary', end, shifts)
    else if (!changed[0]) add('own', end, shifts)
    else add(equal() ? 'both' : 'conflict', end, shifts)
  }
  if (at < b.length) add('same', b.length, [left.shift, right.shift])
  return chunks
}

function sameRange(a: Int32Array, [aStart, aEnd]: Range, b: Int32Array, [bStart, bEnd]: Range): boolean {
  if (aEnd - aStart !== bEnd - bStart) return false
  for (let i = 0; i < aEnd - aStart; i++) if (a[aStart + i] !== b[bStart + i]) return false
  return true
}

/** The hunks that turn one sequence into another, in order. Hunks never touch one another. */
export function diffSequences(a: readonly string[], b: readonly string[], effort: Effort): Hunk[] {
  const [numbers, most] = numbersOf(a, b)
  const [inA, inB] = numbers as [Int32Array, Int32Array]
  return hunksOf(inA, inB, compare(inA, inB, most, MOST_STEPS, effort))
}

/** Assigns a number to each text, so that equal texts have equal numbers. */
function numbersOf(...sequences: (readonly string[])[]): [numbers: Int32Array[], most: number] {
  const names = new Map<string, number>()
  const lineToken = (text: string) => {
    const known = names.get(text)
    if (known !== undefined) return known
    names.set(text, names.size)
    return names.size - 1
  }
  return [sequences.map((texts) => Int32Array.from(texts, lineToken)), names.size]
}

/** How many lines of each sequence precede each line that both have in common, and follow the last. */
interface Gaps {
  a: number[]
  b: number[]
}

function gapsOf(changed: ChangedElements): Gaps {
  const gapsIn = (flags: Uint8Array) => {
    const gaps: number[] = []
    let gap = 0
    for (const flag of flags) {
      if (flag !== 0) gap += 1
      else {
        gaps.push(gap)
        gap = 0
      }
    }
    return [...gaps, gap]
  }
  return { a: gapsIn(changed.a), b: gapsIn(changed.b) }
}

function hunksOf(a: Int32Array, b: Int32Array, changed: ChangedElements): Hunk[] {
  const gaps = gapsOf(changed)
  slide(a, gaps.a, gaps.b)
  slide(b, gaps.b, gaps.a)
  const hunks: Hunk[] = []
  let [inA, inB] = [0, 0]
  gaps.a.forEach((fromA, i) => {
    const fromB = needItem(gaps.b, i)
    if (fromA > 0 || fromB > 0) hunks.push({ aStart: inA, aEnd: inA + fromA, bStart: inB, bEnd: inB + fromB })
    inA += fromA + 1
    inB += fromB + 1
  })
  return hunks
}

/**
 * Slides runs of changed lines, as git does: among equal lines, a run can be placed higher or lower, and equal edits must
 * be placed equally. A run joins the runs that it meets. It ends beside changed lines of the other sequence if possible,
 * otherwise as low as possible.
 */
function slide(lines: Int32Array, gaps: number[], others: readonly number[]): void {
  let before = 0
  for (let gap = 0; gap < gaps.length; gap++) {
    const changed = needItem(gaps, gap)
    if (changed === 0) continue
    const run: Slid = { gap, start: gap + before, size: changed, before }
    const up = () => run.gap > 0 && lines[run.start - 1] === lines[run.start + run.size - 1]
    const down = () => run.gap < gaps.length - 1 && lines[run.start] === lines[run.start + run.size]

    const isBeside = () => needItem(others, run.gap) > 0
    let beside = -1
    for (let size = 0; size !== run.size;) {
      size = run.size
      while (up()) move(run, -1, gaps)
      beside = isBeside() ? run.gap : -1
      while (down()) {
        move(run, 1, gaps)
        if (isBeside()) beside = run.gap
      }
    }
    const back = beside < 0 ? 0 : run.gap - beside
    for (let i = 0; i < back; i++) move(run, -1, gaps)
    gap = run.gap
    before = run.before + run.size
  }
}

/** A run of changed lines: its gap, its first line, its length, and the number of changed lines before it. */
interface Slid {
  gap: number
  start: number
  size: number
  before: number
}

function move(run: Slid, by: 1 | -1, gaps: number[]): void {
  gaps[run.gap] = 0
  run.gap += by
  run.start += by
  const met = needItem(gaps, run.gap)
  if (by === -1) {
    run.start -= met
    run.before -= met
  }
  run.size += met
  gaps[run.gap] = run.size
}

/** Differences between sequences of lines, and the merge of three of them: what a version control system does. */
import { diffArrays } from 'diff'

/** `a[aStart, aEnd)` became `b[bStart, bEnd)`. */
export interface Hunk {
  aStart: number
  aEnd: number
  bStart: number
  bEnd: number
}

/** A half-open range. */
export type Range = readonly [start: number, end: number]

/**
 * A part of a merge of three sequences: unchanged, changed by one side, changed alike by both, or changed by both
 * differently, which includes changes that touch. The parts follow one another in all three.
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

/** The merge of three texts by lines, as git does it; undefined if they conflict. */
export function mergeLines(base: string, primary: string, own: string): string | undefined {
  if (primary === own || own === base) return primary
  if (primary === base) return own
  const lines = { base: splitLines(base), primary: splitLines(primary), own: splitLines(own) }
  const chunks = mergeSequences(lines.base, lines.primary, lines.own)
  if (chunks.some(({ kind }) => kind === 'conflict')) return undefined
  return chunks.map((chunk) => linesOf(chunk, lines)).join('')
}

/** The text of a chunk that is not a conflict. */
export function linesOf(
  chunk: Chunk,
  lines: { base: readonly string[]; primary: readonly string[]; own: readonly string[] },
): string {
  const from = chunk.kind === 'own' ? 'own' : 'primary'
  return lines[from].slice(...chunk[from]).join('')
}

/** Cuts three sequences into chunks. */
export function mergeSequences(
  base: readonly string[],
  primary: readonly string[],
  own: readonly string[],
): Chunk[] {
  const name = namer()
  const [b, p, o] = [base.map(name), primary.map(name), own.map(name)]
  const sides = [
    { hunks: diffNumbers(b, p), next: 0, shift: 0 },
    { hunks: diffNumbers(b, o), next: 0, shift: 0 },
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
    const start = Math.min(...starts)
    if (start === Infinity) break
    if (start > at) add('same', start, [left.shift, right.shift])

    // Everything that touches what is in the chunk already belongs to it.
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

function sameRange(
  a: readonly number[],
  [aStart, aEnd]: Range,
  b: readonly number[],
  [bStart, bEnd]: Range,
): boolean {
  if (aEnd - aStart !== bEnd - bStart) return false
  for (let i = 0; i < aEnd - aStart; i++) if (a[aStart + i] !== b[bStart + i]) return false
  return true
}

/** How one sequence became another, in order. Hunks do not touch one another. */
export function diffSequences(a: readonly string[], b: readonly string[]): Hunk[] {
  const name = namer()
  return diffNumbers(a.map(name), b.map(name))
}

/** Numbers for texts: equal texts, equal numbers. */
function namer(): (text: string) => number {
  const names = new Map<string, number>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    names.set(text, names.size + 1)
    return names.size
  }
}

/** Steps that one comparison may take, about: the length of both times the number of differences. */
const EFFORT = 100_000_000
const MOST_EDITS = 3000

function diffNumbers(a: readonly number[], b: readonly number[]): Hunk[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let [aEnd, bEnd] = [a.length, b.length]
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) [aEnd, bEnd] = [aEnd - 1, bEnd - 1]
  if (start === aEnd && start === bEnd) return []

  const gaps: Gaps = { a: Array.from({ length: start }, () => 0), b: Array.from({ length: start }, () => 0) }
  const add = (inA: number, inB: number, same: number) => {
    gaps.a.push(inA)
    gaps.b.push(inB)
    for (let i = 1; i < same; i++) {
      gaps.a.push(0)
      gaps.b.push(0)
    }
  }
  let [inA, inB] = [0, 0]
  for (const { added, removed, count } of changesOf(a.slice(start, aEnd), b.slice(start, bEnd))) {
    if (removed) inA += count
    else if (added) inB += count
    else {
      add(inA, inB, count)
      ;[inA, inB] = [0, 0]
    }
  }
  add(inA, inB, a.length - aEnd + 1)
  slide(a, gaps.a, gaps.b)
  slide(b, gaps.b, gaps.a)
  return hunksOf(gaps)
}

/** Beyond the effort, everything is a difference. */
function changesOf(a: number[], b: number[]): { added: boolean; removed: boolean; count: number }[] {
  const replaced = [
    { added: false, removed: true, count: a.length },
    { added: true, removed: false, count: b.length },
  ]
  if (a.length === 0 || b.length === 0) return replaced
  const maxEditLength = Math.min(MOST_EDITS, Math.ceil(EFFORT / (a.length + b.length)))
  return diffArrays(a, b, { maxEditLength }) ?? replaced
}

/** How many lines of each sequence stand before each of the lines that both have in common, and after the last. */
interface Gaps {
  a: number[]
  b: number[]
}

function hunksOf({ a, b }: Gaps): Hunk[] {
  const hunks: Hunk[] = []
  let [inA, inB] = [0, 0]
  a.forEach((fromA, i) => {
    const fromB = b[i]!
    if (fromA > 0 || fromB > 0) hunks.push({ aStart: inA, aEnd: inA + fromA, bStart: inB, bEnd: inB + fromB })
    inA += fromA + 1
    inB += fromB + 1
  })
  return hunks
}

/**
 * Where changed lines stand among lines equal to them, they may be said to stand higher or lower. As git does it, so
 * that equal edits are found equal: a run takes up the others it meets on its way, and comes to stand beside changed
 * lines of the other sequence if it can, else as low as it can.
 */
function slide(lines: readonly number[], gaps: number[], others: readonly number[]): void {
  let before = 0
  for (let gap = 0; gap < gaps.length; gap++) {
    if (gaps[gap] === 0) continue
    const run: Slid = { gap, start: gap + before, size: gaps[gap]!, before }
    const up = () => run.gap > 0 && lines[run.start - 1] === lines[run.start + run.size - 1]
    const down = () => run.gap < gaps.length - 1 && lines[run.start] === lines[run.start + run.size]

    let beside = -1
    for (let size = 0; size !== run.size;) {
      size = run.size
      while (up()) move(run, -1, gaps)
      beside = others[run.gap]! > 0 ? run.gap : -1
      while (down()) {
        move(run, 1, gaps)
        if (others[run.gap]! > 0) beside = run.gap
      }
    }
    const back = beside < 0 ? 0 : run.gap - beside
    for (let i = 0; i < back; i++) move(run, -1, gaps)
    gap = run.gap
    before = run.before + run.size
  }
}

/** A run of changed lines: in which gap, from which line, how many, and how many changed lines there are before it. */
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
  const met = gaps[run.gap]!
  if (by === -1) {
    run.start -= met
    run.before -= met
  }
  run.size += met
  gaps[run.gap] = run.size
}

/**
 * Finds the elements that two sequences do not share. It uses the linear-space divide and conquer algorithm of E.
 * Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), section 4b.
 */
import { needItem } from '../data/lists.ts'

/** The steps left for a piece of work, of five to ten nanoseconds each. The number may fall below 0. */
export interface Effort {
  left: number
}

/**
 * For each element, 1 if it has no partner in the other sequence, else 0. The elements with 0 are partners in order.
 */
export interface ChangedElements {
  a: Uint8Array
  b: Uint8Array
}

/** The most steps of a comparison, and the steps for each element if no effort is left. */
export const MOST_STEPS = 20_000_000
const LEAST_STEPS = 20
/**
 * The search for the shortest edit script ends at this many differences, or at the square root of the length. A longer
 * script is used then.
 */
const SHORTEST = 256

/**
 * The most steps of each comparison of so many elements. Comparisons whose results must not depend on their order all
 * use this limit.
 */
export function stepsFor(length: number, effort: Effort): number {
  return effort.left > 0 ? MOST_STEPS : Math.min(MOST_STEPS, LEAST_STEPS * length)
}

/**
 * Compares two sequences of numbers from 0 to `most`. Elements that are not compared within `steps` count as changed.
 * @param effort reduced by the steps of the comparison; the result does not depend on it
 */
export function compare(
  a: Int32Array,
  b: Int32Array,
  most: number,
  steps: number,
  effort: Effort,
): ChangedElements {
  const changed: ChangedElements = { a: new Uint8Array(a.length), b: new Uint8Array(b.length) }
  const whole = trimmed(a, b, { aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length })
  changed.a.fill(1, whole.aStart, whole.aEnd)
  changed.b.fill(1, whole.bStart, whole.bEnd)

  // Elements that only one sequence has need no search. A rewritten text consists mostly of such elements.
  const seen = new Uint8Array(most + 1)
  const [inA, inB] = [a.subarray(whole.aStart, whole.aEnd), b.subarray(whole.bStart, whole.bEnd)]
  for (const element of inA) seen[element] = IN_A
  for (const element of inB) if (seen[element] === IN_A) seen[element] = IN_BOTH
  const isShared = (element: number) => seen[element] === IN_BOTH
  const found = search(inA.filter(isShared), inB.filter(isShared), steps)
  const note = (own: Int32Array, start: number, flags: Uint8Array, to: Uint8Array) => {
    const left = flags.values()
    for (const [i, element] of own.entries()) if (isShared(element)) to[start + i] = left.next().value ?? 1
  }
  note(inA, whole.aStart, found.a, changed.a)
  note(inB, whole.bStart, found.b, changed.b)
  effort.left -= a.length + b.length + found.steps
  return changed
}

interface Box {
  aStart: number
  aEnd: number
  bStart: number
  bEnd: number
}

/** Where the elements that are no longer trimmed occur. */
const IN_A = 1
const IN_BOTH = 2

/** The box without the common prefix and suffix. */
function trimmed(a: Int32Array, b: Int32Array, { aStart, aEnd, bStart, bEnd }: Box): Box {
  for (; aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]; aStart++) bStart++
  for (; aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]; aEnd--) bEnd--
  return { aStart, aEnd, bStart, bEnd }
}

/** The working data of a search. */
interface Search {
  a: Int32Array
  b: Int32Array
  /** By diagonal, plus `middle`: the farthest position in `a` of a path from the start, and of a path from the end. */
  forward: Int32Array
  backward: Int32Array
  middle: number
  shortest: number
  steps: number
}

function search(a: Int32Array, b: Int32Array, most: number): ChangedElements & { steps: number } {
  const size = a.length + b.length + 3
  const work: Search = {
    a,
    b,
    forward: new Int32Array(size),
    backward: new Int32Array(size),
    middle: b.length + 1,
    shortest: Math.max(SHORTEST, Math.floor(Math.sqrt(size))),
    steps: 0,
  }
  const changed: ChangedElements = { a: new Uint8Array(a.length), b: new Uint8Array(b.length) }
  const boxes: Box[] = [{ aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length }]
  for (let next = boxes.pop(); next; next = boxes.pop()) {
    const box = trimmed(a, b, next)
    const { aStart, aEnd, bStart, bEnd } = box
    work.steps += next.aEnd - next.aStart - (aEnd - aStart)
    if (aStart === aEnd || bStart === bEnd || work.steps > most) {
      changed.a.fill(1, aStart, aEnd)
      changed.b.fill(1, bStart, bEnd)
      continue
    }
    const [inA, inB] = split(work, box)
    boxes.push({ aStart, aEnd: inA, bStart, bEnd: inB }, { aStart: inA, aEnd, bStart: inB, bEnd })
  }
  return { ...changed, steps: work.steps }
}

/**
 * A point on a shortest path through a box, or on a longer path beyond `shortest` differences: there the paths from
 * both ends meet.
 */
function split(work: Search, { aStart, aEnd, bStart, bEnd }: Box): [inA: number, inB: number] {
  const { a, b, forward, backward, middle } = work
  const [lowest, highest] = [aStart - bEnd, aEnd - bStart]
  const [first, last] = [aStart - bStart, aEnd - bEnd]
  const odd = ((first - last) & 1) !== 0
  let [fromLow, fromHigh, toLow, toHigh] = [first, first, last, last]
  forward[middle + first] = aStart
  backward[middle + last] = aEnd

  for (let edits = 1; ; edits++) {
    if (fromLow > lowest) forward[middle + --fromLow - 1] = -1
    else fromLow++
    if (fromHigh < highest) forward[middle + ++fromHigh + 1] = -1
    else fromHigh--
    for (let k = fromHigh; k >= fromLow; k -= 2) {
      const [less, more] = [forward[middle + k - 1] ?? -1, forward[middle + k + 1] ?? -1]
      const begin = less >= more ? less + 1 : more
      let inA = begin
      while (inA < aEnd && inA - k < bEnd && a[inA] === b[inA - k]) inA++
      forward[middle + k] = inA
      work.steps += inA - begin + 1
      if (odd && toLow <= k && k <= toHigh && (backward[middle + k] ?? FAR) <= inA) return [inA, inA - k]
    }

    if (toLow > lowest) backward[middle + --toLow - 1] = FAR
    else toLow++
    if (toHigh < highest) backward[middle + ++toHigh + 1] = FAR
    else toHigh--
    for (let k = toHigh; k >= toLow; k -= 2) {
      const [less, more] = [backward[middle + k - 1] ?? FAR, backward[middle + k + 1] ?? FAR]
      const begin = less < more ? less : more - 1
      let inA = begin
      while (inA > aStart && inA - k > bStart && a[inA - 1] === b[inA - k - 1]) inA--
      backward[middle + k] = inA
      work.steps += begin - inA + 1
      if (!odd && fromLow <= k && k <= fromHigh && inA <= (forward[middle + k] ?? -1)) return [inA, inA - k]
    }

    if (edits < work.shortest) continue
    const from = furthest(forward, middle, [fromLow, fromHigh], ([inA, inB]) =>
      inA <= aEnd && inB <= bEnd ? inA + inB - aStart - bStart : -1,
    )
    const to = furthest(backward, middle, [toLow, toHigh], ([inA, inB]) =>
      inA >= aStart && inB >= bStart ? aEnd + bEnd - inA - inB : -1,
    )
    return from.length >= to.length ? from.point : to.point
  }
}

const FAR = 2 ** 31 - 1

/** The longest of the paths on these diagonals. */
function furthest(
  ways: Int32Array,
  middle: number,
  [low, high]: readonly [number, number],
  lengthOf: (point: [inA: number, inB: number]) => number,
) {
  let best: { point: [inA: number, inB: number]; length: number } = { point: [0, 0], length: -1 }
  for (let k = high; k >= low; k -= 2) {
    const inA = needItem(ways, middle + k)
    const point: [number, number] = [inA, inA - k]
    const length = lengthOf(point)
    if (length > best.length) best = { point, length }
  }
  return best
}

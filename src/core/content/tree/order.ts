/**
 * Order keys (fractional indexes): strings over `0-9a-z` that sort siblings. Between any two keys there is always room
 * for another. A key is a fraction, with its characters as the base-36 digits after the point, so it never ends in `0`.
 */
import { needItem } from '../../data/lists.ts'

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'
const BASE = 36n

/**
 * The number of digits added if there is no room between two keys. Three digits allow 2,000 inserts in one direction.
 */
const MORE = 3

/**
 * The distance of a new key from its longer neighbour, which is the newer one. A run of inserts usually continues in
 * one direction, so a small step saves room.
 */
const STEP = 12n

/** The maximum length of a key. If a new key would be longer, all siblings get new keys. */
const LONGEST = 64

/** A key strictly between two others; null is the open end. Throws a RangeError unless `before` sorts before `after`. */
export function between(before: string | null, after: string | null): string {
  check(before, after)
  if (before !== null && after === null) return following(before)
  if (before === null && after !== null) return preceding(after)

  const [a, b] = [before ?? '', after ?? '']
  let length = Math.max(a.length, b.length, 1)
  let [low, high] = bounds(before, after, length)
  if (high - low < 2n) {
    length += MORE
    ;[low, high] = bounds(before, after, length)
    return integerKey((low + high) / 2n, length, high)
  }
  const half = (high - low) / 2n
  const step = half < STEP ? half : STEP
  if (a.length > b.length) return integerKey(low + step, length, high)
  return integerKey(a.length < b.length ? high - step : low + half, length, high)
}

/** Returns `count` short, evenly spaced keys, in order, between two others; null is the open end. */
export function spread(count: number, before: string | null = null, after: string | null = null): string[] {
  check(before, after)
  let length = Math.max(before?.length ?? 0, after?.length ?? 0, 1)
  let [low, high] = bounds(before, after, length)
  const parts = BigInt(count) + 1n
  // Keys are at least two apart, so that a key that would end in `0` can be replaced by the next one.
  while (high - low < parts * 2n) [low, high] = bounds(before, after, ++length)
  return Array.from({ length: count }, (_, i) =>
    integerKey(low + ((high - low) * BigInt(i + 1)) / parts, length, high),
  )
}

/** The key of a new sibling, and new keys for the siblings that make room for it, by their index. */
export interface Insertion {
  order: string
  moved: Map<number, string>
}

/**
 * Returns the key of a new sibling at an index, given the sorted keys of its siblings. Existing siblings get new keys
 * in two cases: the two neighbours have the same key (after a merge of inserts at one place), or keys are too long.
 */
export function insertAt(orders: readonly string[], index: number): Insertion {
  const at = Math.max(0, Math.min(index, orders.length))
  const before = orders[at - 1] ?? null
  const after = orders[at] ?? null
  if (before === null || after === null || before < after) {
    const order = between(before, after)
    if (order.length <= LONGEST) return { order, moved: new Map() }
    return respread(orders, at, 0, orders.length)
  }
  // The siblings to the right with the same key get new keys.
  let end = at
  while (orders[end] === before) end++
  return respread(orders, at, at, end)
}

/** Returns new keys for the siblings from `start` to before `end`, and the key of a new sibling at `at`. */
function respread(orders: readonly string[], at: number, start: number, end: number): Insertion {
  const keys = spread(end - start + 1, orders[start - 1] ?? null, orders[end] ?? null)
  const order = needItem(keys, at - start)
  keys.splice(at - start, 1)
  return { order, moved: new Map(keys.map((key, i) => [start + i, key])) }
}

/**
 * The next key of the same length. If there is none, the key doubles its length, so that a long run of inserts keeps
 * keys short.
 */
function following(key: string): string {
  const length = key.length
  const number = numberOf(key, length)
  const end = BASE ** BigInt(length)
  if (number + 1n < end) return integerKey(number + 1n, length, end)
  return key + '0'.repeat(length - 1) + '1'
}

function preceding(key: string): string {
  const length = key.length
  const number = numberOf(key, length)
  const less = number - (number % BASE === 1n ? 2n : 1n)
  if (less > 0n) return integerKey(less, length, number)
  return '0'.repeat(length) + 'z'.repeat(length)
}

function check(before: string | null, after: string | null): void {
  if (before === null || after === null || before < after) return
  throw new RangeError(`No order key is between ${before} and ${after}`)
}

function bounds(before: string | null, after: string | null, length: number): [bigint, bigint] {
  return [
    before === null ? 0n : numberOf(before, length),
    after === null ? BASE ** BigInt(length) : numberOf(after, length),
  ]
}

/** Reads the first `length` digits of a key as an integer. */
function numberOf(key: string, length: number): bigint {
  let number = 0n
  for (let i = 0; i < length; i++) {
    const digit = i < key.length ? DIGITS.indexOf(key.charAt(i)) : 0
    if (digit < 0) throw new RangeError(`${key} is not an order key`)
    number = number * BASE + BigInt(digit)
  }
  return number
}

/** The key of an integer. If the key would end in `0`, the next integer is used, provided that it is below `end`. */
function integerKey(number: bigint, length: number, end: bigint): string {
  const full = number % BASE === 0n && number + 1n < end ? number + 1n : number
  return full.toString(36).padStart(length, '0').replace(/0+$/, '')
}

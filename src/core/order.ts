/**
 * Order keys: strings over `0-9a-z` that sort siblings, with always room for another between any two.
 * A key stands for the fraction that has its characters as base-36 digits after the point, so it never ends in `0`.
 */

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'
const BASE = 36n

/** Where two keys leave no room, this many digits are added: room for 2,000 inserts in one direction. */
const MORE = 3

/** How far a new key is from the longer, and so newer, of its neighbours: a run of inserts goes on in its direction and uses the room up slowly. */
const STEP = 12n

/** Keys longer than this are replaced when something is inserted beside them. */
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
    return keyOf((low + high) / 2n, length, high)
  }
  const half = (high - low) / 2n
  const step = half < STEP ? half : STEP
  if (a.length > b.length) return keyOf(low + step, length, high)
  return keyOf(a.length < b.length ? high - step : low + half, length, high)
}

/** As many keys, short and evenly apart, in order, between two others; null is the open end. */
export function spread(count: number, before: string | null = null, after: string | null = null): string[] {
  check(before, after)
  let length = Math.max(before?.length ?? 0, after?.length ?? 0, 1)
  let [low, high] = bounds(before, after, length)
  const parts = BigInt(count) + 1n
  // Two apart at the least, so that a key that would end in `0` can be the next one instead.
  while (high - low < parts * 2n) [low, high] = bounds(before, after, ++length)
  return Array.from({ length: count }, (_, i) =>
    keyOf(low + ((high - low) * BigInt(i + 1)) / parts, length, high),
  )
}

/** Where a new sibling goes, and the siblings that need another key to make room for it, by their index. */
export interface Insertion {
  order: string
  moved: Map<number, string>
}

/**
 * The key of a new sibling at an index among others, whose sorted keys are given. Others move only if two that should
 * be apart have the same key (after a merge of inserts at one place), or if keys have grown too long.
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
  // Equal keys: those to the right get new ones, up to the next that differs.
  let end = at
  while (orders[end] === before) end++
  return respread(orders, at, at, end)
}

/** New keys for the siblings from `start` to before `end`, with one more among them at `at`. */
function respread(orders: readonly string[], at: number, start: number, end: number): Insertion {
  const keys = spread(end - start + 1, orders[start - 1] ?? null, orders[end] ?? null)
  const [order] = keys.splice(at - start, 1)
  return { order: order!, moved: new Map(keys.map((key, i) => [start + i, key])) }
}

/** The next key of the same length; where there is none, as many digits again, so that keys of a long run stay short. */
function following(key: string): string {
  const length = key.length
  const number = numberOf(key, length)
  const end = BASE ** BigInt(length)
  if (number + 1n < end) return keyOf(number + 1n, length, end)
  return key + '0'.repeat(length - 1) + '1'
}

function preceding(key: string): string {
  const length = key.length
  const number = numberOf(key, length)
  const less = number - (number % BASE === 1n ? 2n : 1n)
  if (less > 0n) return keyOf(less, length, number)
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

/** The key as a whole number of `length` digits. */
function numberOf(key: string, length: number): bigint {
  let number = 0n
  for (let i = 0; i < length; i++) {
    const digit = i < key.length ? DIGITS.indexOf(key[i]!) : 0
    if (digit < 0) throw new RangeError(`${key} is not an order key`)
    number = number * BASE + BigInt(digit)
  }
  return number
}

/** The key of a number; instead of a key that ends in `0` the next one, if that is still below `end`. */
function keyOf(number: bigint, length: number, end: bigint): string {
  const full = number % BASE === 0n && number + 1n < end ? number + 1n : number
  return full.toString(36).padStart(length, '0').replace(/0+$/, '')
}

import { append } from '../../data/lists.ts'
import { spread } from './order.ts'

/**
 * Order keys for siblings in a given order. As many as possible keep the key that they had, so that a merge sees moves only
 * of those that moved: those outside a longest increasing subsequence, and new ones, get keys between their neighbours.
 * @param known the former key of each sibling; undefined for a new one
 */
export function keepOrders(known: readonly (string | undefined)[]): string[] {
  const kept = longestIncreasing(known)
  const orders: string[] = []
  let fresh = 0
  const fill = (after: string | null) => {
    append(orders, spread(fresh, orders.at(-1) ?? null, after))
    fresh = 0
  }
  for (const [i, order] of known.entries()) {
    if (!kept.has(i)) fresh++
    else {
      if (fresh > 0) fill(order!)
      orders.push(order!)
    }
  }
  if (fresh > 0) fill(null)
  return orders
}

/** The places of a longest strictly increasing subsequence, by patience sorting. */
function longestIncreasing(keys: readonly (string | undefined)[]): Set<number> {
  /** For each length, the place of the smallest last key of a subsequence that long. */
  const ends: number[] = []
  const before: (number | undefined)[] = []
  for (const [i, key] of keys.entries()) {
    if (key === undefined) continue
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (keys[ends[middle]!]! < key) low = middle + 1
      else high = middle
    }
    before[i] = low > 0 ? ends[low - 1] : undefined
    ends[low] = i
  }
  const found = new Set<number>()
  for (let at = ends.at(-1); at !== undefined; at = before[at]) found.add(at)
  return found
}

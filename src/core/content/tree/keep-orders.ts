import { append, firstIndex } from '../../data/lists.ts'
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
    if (order === undefined || !kept.has(i)) fresh++
    else {
      if (fresh > 0) fill(order)
      orders.push(order)
    }
  }
  if (fresh > 0) fill(null)
  return orders
}

/** The last place of an increasing subsequence, and the subsequence before it. */
interface Rising {
  place: number
  key: string
  before: Rising | undefined
}

/** The places of a longest strictly increasing subsequence, by patience sorting. */
function longestIncreasing(keys: readonly (string | undefined)[]): Set<number> {
  /** For each length, the end of the subsequence that long with the smallest last key. */
  const ends: Rising[] = []
  for (const [place, key] of keys.entries()) {
    if (key === undefined) continue
    const length = firstIndex(ends, (end) => end.key >= key)
    ends[length] = { place, key, before: ends[length - 1] }
  }
  const found = new Set<number>()
  for (let end = ends.at(-1); end; end = end.before) found.add(end.place)
  return found
}

import { need } from '../data/lists.ts'

/**
 * Returns the smallest set of siblings whose moves explain the new order. Siblings that stay are never in the set.
 * Another sibling is in the set unless it kept its order relative to them and to the other siblings left out.
 * @param before the ids of the siblings in order, like `after`. Ids in only one of the two lists are ignored
 * @param stays whether a sibling was not touched; the relative order of these is the same in both lists
 */
export function movedAmong(
  before: readonly string[],
  after: readonly string[],
  stays: (id: string) => boolean,
): Set<string> {
  const places = new Map(before.map((id, place) => [id, place]))
  const both = after.filter((id) => places.has(id))
  const kept = heaviestRising(
    both.map((id) => ({
      place: need(places, id),
      // A sibling that stays outweighs all others together.
      weight: stays(id) ? both.length + 1 : 1,
    })),
    before.length,
  )
  return new Set(both.filter((_, i) => !kept.has(i)))
}

interface Item {
  place: number
  weight: number
}

/** The heaviest increasing subsequence that ends with an item: its weight, the index of the item, and what is before it. */
interface Line {
  weight: number
  last: number
  before: Line | undefined
}

/** Returns the indexes of the heaviest subsequence with increasing places, in O(n log n) steps. */
function heaviestRising(items: readonly Item[], size: number): Set<number> {
  // A Fenwick tree: `best[i]` is the heaviest line that ends in the range of places that node `i` covers.
  const best = Array.from({ length: size + 1 }, (): Line | undefined => undefined)
  let heaviest: Line | undefined

  for (const [last, { place, weight }] of items.entries()) {
    let before: Line | undefined
    for (let at = place; at > 0; at -= at & -at) before = heavier(best[at], before)
    const line = { weight: (before?.weight ?? 0) + weight, last, before }
    for (let at = place + 1; at <= size; at += at & -at) best[at] = heavier(line, best[at])
    heaviest = heavier(line, heaviest)
  }

  const kept = new Set<number>()
  for (let line = heaviest; line; line = line.before) kept.add(line.last)
  return kept
}

/** The heavier of two lines; of equal ones, the other. */
function heavier(one: Line | undefined, other: Line | undefined): Line | undefined {
  return (one?.weight ?? 0) > (other?.weight ?? 0) ? one : other
}

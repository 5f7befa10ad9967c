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
      place: places.get(id)!,
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

/** The heaviest increasing subsequence that ends with an item: its weight, and the index of its last item. */
interface Line {
  weight: number
  last: number
}

const NO_LINE: Line = { weight: 0, last: -1 }

/** Returns the indexes of the heaviest subsequence with increasing places, in O(n log n) steps. */
function heaviestRising(items: readonly Item[], size: number): Set<number> {
  // A Fenwick tree: `best[i]` is the heaviest line that ends in the range of places that node `i` covers.
  const best: Line[] = Array.from({ length: size + 1 }, () => NO_LINE)
  const previous: number[] = []
  let heaviest = NO_LINE

  items.forEach(({ place, weight }, index) => {
    let below = NO_LINE
    for (let at = place; at > 0; at -= at & -at) if (best[at]!.weight > below.weight) below = best[at]!
    previous[index] = below.last
    const line = { weight: below.weight + weight, last: index }
    for (let at = place + 1; at <= size; at += at & -at) if (line.weight > best[at]!.weight) best[at] = line
    if (line.weight > heaviest.weight) heaviest = line
  })

  const kept = new Set<number>()
  for (let at = heaviest.last; at >= 0; at = previous[at]!) kept.add(at)
  return kept
}

/**
 * Which siblings were moved, the fewest that explain the order they have now. Those that stay certainly have not: the
 * others are moved unless the order that they and those that stay had is the order that they still have.
 * @param before the ids of the siblings in their order; so is `after`. Ids that only one has do not count
 * @param stays whether a sibling was not touched; the order of these among themselves is the same in both
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
      // One that stays weighs more than all others together.
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

/** The best line that ends with an item: what it weighs, and the item before in it. */
interface Line {
  weight: number
  last: number
}

const NO_LINE: Line = { weight: 0, last: -1 }

/** The indexes of those items, rising in place, that weigh most together. Takes n log n steps. */
function heaviestRising(items: readonly Item[], size: number): Set<number> {
  // `best[i]` is the heaviest line among the places that end a range of the tree (Fenwick).
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

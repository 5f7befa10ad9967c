/** Where the cards in the margin of a page are. Runs in Node too. */

/** A card, and the place that it belongs to. In pixels below the top of the page. */
export interface Card {
  id: string
  top: number
  height: number
}

/** Between two cards. */
const GAP = 8

/**
 * The tops of cards that do not cover each other. The active card is exactly at its place. Cards above it give way
 * upwards, and those that find no room there follow below it.
 */
export function placeCards(cards: readonly Card[], active?: string): Map<string, number> {
  const sorted = cards.toSorted((a, b) => a.top - b.top || Number(b.id === active) - Number(a.id === active))
  const at = sorted.findIndex(({ id }) => id === active)
  const tops = new Map<string, number>()
  const below = sorted.slice(at + 1)
  let free = 0
  if (at >= 0) {
    const { id, top, height } = sorted[at]!
    tops.set(id, top)
    free = top + height + GAP
    let end = top - GAP
    for (let i = at - 1; i >= 0; i--) {
      const card = sorted[i]!
      const begin = Math.min(card.top, end - card.height)
      if (begin < 0) below.unshift(card)
      else {
        tops.set(card.id, begin)
        end = begin - GAP
      }
    }
  }
  for (const { id, top, height } of below) {
    const begin = Math.max(top, free)
    tops.set(id, begin)
    free = begin + height + GAP
  }
  return tops
}

import { type Insertion, insertAt } from './order.ts'

/** An item among its siblings. */
export interface Ordered {
  id: string
  /** Its order key (`order.ts`). */
  position: string
}

/** The indexes, among the other visible siblings, of the neighbours that an item shall have. */
export interface Neighbours {
  before: number | undefined
  after: number | undefined
}

/**
 * The order key of an item that moves directly before or after another one; without a neighbour, to the end. Some
 * siblings get new keys if there is no room.
 * @param all the siblings in their order, those that the caller cannot see too
 * @param seen the visible ones; only they count as neighbours, so that the result reveals nothing of others
 * @returns undefined if the item is there already; `moved` has new keys by index among the siblings without the item
 */
export function arrangeAmong<T extends Ordered>(
  all: readonly T[],
  seen: readonly T[],
  isItem: (one: T) => boolean,
  { before, after }: Neighbours,
): (Insertion & { rest: T[] }) | undefined {
  const others = seen.filter((one) => !isItem(one))
  const index = before ?? (after === undefined ? others.length : after + 1)
  if (seen.findIndex(isItem) === index) return undefined

  const rest = all.filter((one) => !isItem(one))
  const neighbour = others[before ?? after ?? -1]
  const at = neighbour ? rest.indexOf(neighbour) + (before === undefined ? 1 : 0) : rest.length
  return {
    rest,
    ...insertAt(
      rest.map(({ position }) => position),
      at,
    ),
  }
}

/** Compares two order keys of siblings, and by id if they are equal. */
export function byPosition(a: Ordered, b: Ordered): number {
  const [x, y] = a.position === b.position ? [a.id, b.id] : [a.position, b.position]
  return x < y ? -1 : Number(x > y)
}

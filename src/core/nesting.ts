/** How collections lie in one another. */

/** A collection as far as nesting goes. */
export interface Nested {
  id: string
  /** The collection it is in; null at the top level. */
  parent: string | null
}

/** Collections may be this deep in one another; the outermost is on level 1. */
export const DEEPEST = 20

/** The ids of a collection and of all that are in it, however deep, each after the one it is in. */
export function within(collections: readonly Nested[], id: string): string[] {
  const inside = Map.groupBy(collections, ({ parent }) => parent)
  const found = [id]
  // Grows while it is walked.
  for (const one of found) for (const child of inside.get(one) ?? []) found.push(child.id)
  return found
}

/** The ids of a collection and of those it is in, up to the top; empty for null. */
export function outward(collections: readonly Nested[], id: string | null): string[] {
  const parents = new Map(collections.map((one) => [one.id, one.parent]))
  const found: string[] = []
  for (let one = id; one !== null; one = parents.get(one) ?? null) found.push(one)
  return found
}

/**
 * What keeps a collection from being put in another: it would be in itself, or too deep.
 * @param id the collection, or null for a new one
 */
export function nestingFault(
  collections: readonly Nested[],
  id: string | null,
  parent: string | null,
): 'cycle' | 'too-deep' | undefined {
  const above = outward(collections, parent)
  if (id !== null && above.includes(id)) return 'cycle'
  const inside = id === null ? [] : within(collections, id)
  const top = id === null ? 0 : outward(collections, id).length - 1
  const height = Math.max(1, ...inside.map((one) => outward(collections, one).length - top))
  return above.length + height > DEEPEST ? 'too-deep' : undefined
}

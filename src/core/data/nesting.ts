/** The nesting of collections. */
import { greatest } from './lists.ts'

/** A collection with its parent. */
export interface Nested {
  id: string
  /** The id of the parent collection; null at the top level. */
  parent: string | null
}

/** The most levels of collections; the outermost is on level 1. */
const MAX_COLLECTION_DEPTH = 20

/** Returns the ids of a collection and of all its descendants, parents first. */
export function within(collections: readonly Nested[], id: string): string[] {
  const inside = Map.groupBy(collections, ({ parent }) => parent)
  const found = [id]
  // The array grows during the loop.
  for (const one of found) for (const child of inside.get(one) ?? []) found.push(child.id)
  return found
}

/** Returns the ids of a collection and of its ancestors, the nearest first. Empty for null. */
export function outward(collections: readonly Nested[], id: string | null): string[] {
  const parents = new Map(collections.map((one) => [one.id, one.parent]))
  const found: string[] = []
  for (let one = id; one !== null; one = parents.get(one) ?? null) found.push(one)
  return found
}

/**
 * Returns the reason why a collection cannot be moved into another: it would contain itself, or be nested too deeply.
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
  const height = greatest(
    inside.map((one) => outward(collections, one).length - top),
    1,
  )
  return above.length + height > MAX_COLLECTION_DEPTH ? 'too-deep' : undefined
}

/** Immutable maps derived from one another. Each has a large shared base map, and a small map of later changes. */

/** In `over`, null marks an entry that was removed. */
export interface Layered<V> {
  readonly base: ReadonlyMap<string, V>
  readonly over: ReadonlyMap<string, V | null>
}

const NOTHING: ReadonlyMap<string, null> = new Map()

/** The most changes over a base. Beyond it, both are merged into a new base. */
const THICK = 256

/** Creates a layered map over a base that must not change any more. */
export function layered<V>(base: ReadonlyMap<string, V>): Layered<V> {
  return { base, over: NOTHING }
}

/** The value of a key, or undefined. */
export function lookUp<V>({ base, over }: Layered<V>, key: string): V | undefined {
  const found = over.get(key)
  if (found === undefined) return base.get(key)
  return found ?? undefined
}

/** The value of a key that the map is known to have. @throws Error with the key */
export function needIn<V>(map: Layered<V>, key: string): V {
  const found = lookUp(map, key)
  if (found === undefined) throw new Error(`The map has no value for ${key}`)
  return found
}

/** The map after the given keys are set, or removed where null. */
export function withChanges<V>(map: Layered<V>, changes: ReadonlyMap<string, V | null>): Layered<V> {
  if (changes.size === 0) return map
  const over = new Map([...map.over, ...changes])
  if (over.size <= THICK) return { base: map.base, over }
  return layered(flat({ base: map.base, over }))
}

/** All entries, as a plain map. */
export function flat<V>({ base, over }: Layered<V>): ReadonlyMap<string, V> {
  if (over.size === 0) return base
  const all = new Map(base)
  for (const [key, value] of over) {
    if (value === null) all.delete(key)
    else all.set(key, value)
  }
  return all
}

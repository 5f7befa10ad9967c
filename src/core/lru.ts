/** Keeps the most recently used values, as many as fit. */
export interface Lru<V> {
  get(key: string): V | undefined
  /** @param weight what the value counts of the capacity; 1 if absent */
  set(key: string, value: V, weight?: number): void
}

/** A bounded cache that forgets what was not used for longest. @param capacity the sum of weights it keeps */
export function lru<V>(capacity: number): Lru<V> {
  const entries = new Map<string, { value: V; weight: number }>()
  let total = 0

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, weight = 1) {
      total += weight - (entries.get(key)?.weight ?? 0)
      entries.delete(key)
      entries.set(key, { value, weight })
      for (const [oldest, entry] of entries) {
        if (total <= capacity || oldest === key) return
        entries.delete(oldest)
        total -= entry.weight
      }
    },
  }
}

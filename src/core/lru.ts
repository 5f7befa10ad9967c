/** A bounded cache. When it is full, it drops the least recently used values. */
export interface Lru<V> {
  get(key: string): V | undefined
  /** @param bytes the size of the value; a value larger than the whole cache is not stored */
  set(key: string, value: V, bytes: number): void
}

/** The overhead of each entry: its key, and its slots in the map. */
const entryBytes = (key: string) => 128 + 2 * key.length

/** Creates a least-recently-used cache. @param maxBytes the limit for the sum of the sizes of its entries */
export function lru<V>(maxBytes: number): Lru<V> {
  const entries = new Map<string, { value: V; bytes: number }>()
  let total = 0

  function drop(key: string): void {
    total -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, valueBytes) {
      drop(key)
      const bytes = valueBytes + entryBytes(key)
      if (bytes > maxBytes) return
      entries.set(key, { value, bytes })
      total += bytes
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) return
        drop(oldest)
      }
    },
  }
}

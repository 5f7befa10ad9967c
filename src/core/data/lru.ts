/**
 * A bounded cache. When it is full, it drops the values that were not read for the longest time, approximately: reading a
 * value only marks it (the second-chance algorithm), because a read is on the path of every request.
 */
export interface Lru<V> {
  get(key: string): V | undefined
  /** @param bytes the size of the value; a value larger than the whole cache is not stored */
  set(key: string, value: V, bytes: number): void
  delete(key: string): void
}

/** The overhead of each entry: its key, and its slots in the map. */
const entryBytes = (key: string) => 128 + 2 * key.length

/** Creates a cache that keeps the values that are read. @param maxBytes the limit for the sum of the sizes of its entries */
export function lru<V>(maxBytes: number): Lru<V> {
  const entries = new Map<string, { value: V; bytes: number; isRead: boolean }>()
  let total = 0

  function drop(key: string): void {
    total -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  /** Drops the oldest values until there is room. A value that was read gets a second chance, as the newest. */
  function makeRoom(bytes: number): void {
    for (const [key, entry] of entries) {
      if (total + bytes <= maxBytes) return
      if (!entry.isRead) {
        drop(key)
        continue
      }
      entries.delete(key)
      entries.set(key, { ...entry, isRead: false })
    }
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entry.isRead = true
      return entry.value
    },
    set(key, value, valueBytes) {
      drop(key)
      const bytes = valueBytes + entryBytes(key)
      if (bytes > maxBytes) return
      makeRoom(bytes)
      entries.set(key, { value, bytes, isRead: false })
      total += bytes
    },
    delete: drop,
  }
}

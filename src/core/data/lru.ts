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

/** How a cache was used since the process started. Caches with the same name are counted together. */
export interface CacheCounts {
  hits: number
  misses: number
  entries: number
  bytes: number
}

const named = new Map<string, CacheCounts>()

/** The counts of the caches with names, by name. */
export const cacheCounts = (): ReadonlyMap<string, Readonly<CacheCounts>> => named

function countsOf(name: string | undefined): CacheCounts {
  const counts = (name !== undefined && named.get(name)) || { hits: 0, misses: 0, entries: 0, bytes: 0 }
  if (name !== undefined) named.set(name, counts)
  return counts
}

/** The overhead of each entry: its key, and its slots in the map. */
const entryBytes = (key: string) => 128 + 2 * key.length

/**
 * Creates a cache that keeps the values that are read.
 * @param maxBytes the limit for the sum of the sizes of its entries
 * @param name under which its use is counted, for a cache that lasts as long as the process or the server
 */
export function lru<V>(maxBytes: number, name?: string): Lru<V> {
  const entries = new Map<string, { value: V; bytes: number; isRead: boolean }>()
  const counts = countsOf(name)
  let total = 0

  function drop(key: string): void {
    const bytes = entries.get(key)?.bytes
    if (bytes === undefined) return
    total -= bytes
    counts.bytes -= bytes
    counts.entries--
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
      if (!entry) {
        counts.misses++
        return undefined
      }
      counts.hits++
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
      counts.bytes += bytes
      counts.entries++
    },
    delete: drop,
  }
}

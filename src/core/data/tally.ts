/** How much each of many keys has at the moment, such as the requests of each caller that wait. */
export interface Tally {
  /** What one key has. */
  of(key: string): number
  /** What all keys have together. */
  total(): number
  /** Adds one to a key. @returns takes it away again; it is called once */
  enter(key: string): () => void
}

/** Creates a count without keys. A key that has nothing needs no memory. */
export function tally(): Tally {
  const counts = new Map<string, number>()
  let total = 0
  return {
    of: (key) => counts.get(key) ?? 0,
    total: () => total,
    enter(key) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      total += 1
      return () => {
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
        total -= 1
      }
    },
  }
}

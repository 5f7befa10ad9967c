/** An item that waits, and the party that it belongs to. */
interface Waiting<T> {
  party: string
  item: T
}

/** Waiting items of several parties. The party that has used the least time so far comes first. */
export interface FairQueue<T> {
  readonly size: number
  /** How many items of a party wait. */
  sizeOf(party: string): number
  add(party: string, item: T): void
  /** Takes the next item of a party that `mayRun`. */
  take(mayRun: (party: string) => boolean): Waiting<T> | undefined
  /** Removes an item that waits. Returns false if it does not. */
  remove(party: string, item: T): boolean
  /** Records that a party has used time. */
  charge(party: string, ms: number): void
  /** Removes and returns all items. */
  clear(): T[]
}

interface Lane<T> {
  items: T[]
  /** The time that the party has used, in milliseconds, since the queue was last empty. */
  used: number
}

/**
 * A queue that is fair between parties: a party with many or slow items delays its own items, and an item of any other
 * party only by those that run already.
 */
export function fairQueue<T>(): FairQueue<T> {
  const lanes = new Map<string, Lane<T>>()
  let size = 0

  function laneOf(party: string): Lane<T> {
    let lane = lanes.get(party)
    if (!lane) {
      // A party that joins is treated as one that has used as little as any other, and not as one owed all the past.
      lane = { items: [], used: leastUsed() }
      lanes.set(party, lane)
    }
    return lane
  }

  function leastUsed(): number {
    let least = Infinity
    for (const { items, used } of lanes.values()) if (items.length > 0 && used < least) least = used
    return least === Infinity ? 0 : least
  }

  return {
    get size() {
      return size
    },
    sizeOf: (party) => lanes.get(party)?.items.length ?? 0,
    add(party, item) {
      const lane = laneOf(party)
      if (lane.items.length === 0) lane.used = Math.max(lane.used, leastUsed())
      lane.items.push(item)
      size++
    },
    take(mayRun) {
      let first: { party: string; lane: Lane<T> } | undefined
      for (const [party, lane] of lanes)
        if (lane.items.length > 0 && mayRun(party) && !(first && first.lane.used <= lane.used))
          first = { party, lane }
      if (!first) return undefined
      size--
      return { party: first.party, item: first.lane.items.shift()! }
    },
    remove(party, item) {
      const items = lanes.get(party)?.items ?? []
      const index = items.indexOf(item)
      if (index < 0) return false
      items.splice(index, 1)
      size--
      return true
    },
    charge(party, ms) {
      if (size === 0) lanes.clear()
      else laneOf(party).used += ms
    },
    clear() {
      const items = [...lanes.values()].flatMap((lane) => lane.items)
      lanes.clear()
      size = 0
      return items
    },
  }
}

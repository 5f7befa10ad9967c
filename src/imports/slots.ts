import { availableParallelism } from 'node:os'
import { tooMany } from '../http/errors.ts'
import { fairQueue } from '../threads/fair-queue.ts'

const RETRY_S = 30

/** The bounds of the imports of a process. */
export interface SlotLimits {
  /** How many imports are fetched, read and stored at once. */
  slots: number
  /** How many can wait. */
  queue: number
  /** How many of those that wait can belong to one organization. */
  queueOfParty: number
}

/** Runs work in a slot. The organization that has used the least time comes first. @throws 429 if too many wait */
export type InSlot = <T>(party: string, work: () => Promise<T>) => Promise<T>

/** Slots for imports, which need disk, memory and a thread: an import that waits has none of them yet. */
export function importSlots({ slots, queue, queueOfParty }: SlotLimits): InSlot {
  const waiting = fairQueue<() => void>()
  let free = slots

  function advance(): void {
    while (free > 0) {
      const next = waiting.take(() => true)
      if (!next) return
      free -= 1
      next.item()
    }
  }

  return async (party, work) => {
    if (free === 0 && (waiting.size >= queue || waiting.sizeOf(party) >= queueOfParty))
      throw tooMany('Too many imports are waiting; try again when one of them has ended', RETRY_S)
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(party, resolve)
    advance()
    await promise
    const start = performance.now()
    try {
      return await work()
    } finally {
      waiting.charge(party, performance.now() - start)
      free += 1
      advance()
    }
  }
}

/** The slots for crawls of websites, which take minutes but mostly wait for other servers. */
export const inCrawlSlot = importSlots({ slots: 4, queue: 8, queueOfParty: 2 })

/** The slots of this process: as many as there are threads for imports. */
export const inImportSlot = importSlots({
  slots: Math.max(1, Math.min(4, availableParallelism() - 1)),
  queue: 16,
  queueOfParty: 8,
})

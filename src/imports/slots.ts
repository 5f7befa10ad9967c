import { availableParallelism } from 'node:os'
import { tooMany } from '../http/errors.ts'
import { type Share, ShareFull, type ShareLimits, fairShare } from '../threads/shares.ts'
import { because } from '../core/languages/reasons.ts'

const RETRY_S = 30

/** Slots for imports, which need disk, memory and a thread: an import that waits has none of them yet. @throws 429 */
export function importSlots(limits: ShareLimits & { atOnce: number }): Share {
  const inTurn = fairShare(limits)
  return async (party, work, signal) => {
    try {
      return await inTurn(party, work, signal)
    } catch (error) {
      if (!(error instanceof ShareFull)) throw error
      throw tooMany(because('too-many-imports'), RETRY_S)
    }
  }
}

/** The slots for crawls of websites, which take minutes but mostly wait for other servers. */
export const inCrawlSlot = importSlots({ atOnce: 4, queue: 8, queueOfParty: 2 })

/** The slots of this process: as many as there are threads for imports. */
export const inImportSlot = importSlots({
  atOnce: Math.max(1, Math.min(4, availableParallelism() - 1)),
  queue: 16,
  queueOfParty: 8,
})

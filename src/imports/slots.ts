import { availableParallelism } from 'node:os'
import { tally } from '../core/data/tally.ts'
import { tooMany } from '../http/errors.ts'
import { type Share, ShareFull, type ShareLimits, fairShare } from '../threads/shares.ts'
import { because } from '../core/languages/reasons.ts'

const RETRY_S = 30

/** The bounds of slots for imports. `queueOfParty` is for the users of an organization who have an import there already. */
interface SlotLimits extends ShareLimits {
  atOnce: number
  /** How many imports of one user can wait: fewer than those of an organization, so that others of it can wait too. */
  queueOfUser: number
}

/** Slots for imports, which need disk, memory and a thread: an import that waits has none of them yet. @throws 429 */
export function importSlots({ queueOfUser, ...limits }: SlotLimits): Share {
  const inTurn = fairShare(limits)
  const waiting = tally()
  return async (party, work, signal) => {
    const isFull = waiting.of(party.user) >= queueOfUser
    if (isFull) throw tooMany(because('too-many-imports'), RETRY_S)
    let leave: (() => void) | undefined = waiting.enter(party.user)
    const begin = () => {
      leave?.()
      leave = undefined
    }
    try {
      return await inTurn(
        party,
        () => {
          begin()
          return work()
        },
        signal,
      )
    } catch (error) {
      if (!(error instanceof ShareFull)) throw error
      throw tooMany(because('too-many-imports'), RETRY_S)
    } finally {
      begin()
    }
  }
}

/** The slots for crawls of websites, which take minutes but mostly wait for other servers. */
export const inCrawlSlot = importSlots({
  atOnce: 8,
  atOnceOfParty: 3,
  atOnceOfOrganization: 6,
  queue: 64,
  queueOfParty: 4,
  queueOfUser: 2,
})

/** What is fetched in a slot for small archives, in bytes. */
export const SMALL_ARCHIVE = 8 * 1024 * 1024

/**
 * The slots for fetching small archives. They mostly wait for the network, so there are enough of them that slow servers
 * take no place from a user who has none. An archive that turns out to be larger is fetched again in a slot for large ones.
 */
export const inSmallFetchSlot = importSlots({
  atOnce: 64,
  atOnceOfParty: 3,
  atOnceOfOrganization: 48,
  queue: 128,
  queueOfParty: 16,
  queueOfUser: 8,
})

/**
 * The slots for fetching what is imported, apart from those for reading it: a slow server keeps no thread idle, and on a
 * machine with a single slot for reading no import of others waiting. An import keeps its slot until it has been read, so
 * that few large archives wait on the disk.
 */
export const inLargeFetchSlot = importSlots({
  atOnce: 8,
  atOnceOfParty: 3,
  atOnceOfOrganization: 6,
  queue: 128,
  queueOfParty: 16,
  queueOfUser: 8,
})

/** The slots of this process: as many as there are threads for imports. */
export const inImportSlot = importSlots({
  atOnce: Math.max(1, Math.min(4, availableParallelism() - 1)),
  queue: 128,
  queueOfParty: 16,
  queueOfUser: 8,
})

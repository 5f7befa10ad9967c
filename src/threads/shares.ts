import type { Party } from '../core/runtime/party.ts'
import { fairQueue } from './fair-queue.ts'

/**
 * The threads of libuv, which read files, compress, and resolve host names for the whole process, in the order of
 * arrival. `bin/lectern.js` starts more than the four that Node has by itself.
 */
const THREADS = Number(process.env['UV_THREADPOOL_SIZE']) || 4

/** Too much work waits already: of the same party, or of others that have no more. */
export class ShareFull extends Error {
  override name = 'ShareFull'
}

/** The bounds of a share. */
export interface ShareLimits {
  /** How much work runs at once; by default, a quarter of the threads of libuv. */
  atOnce?: number
  /** How much of it can belong to one user, and to one organization; by default, all but one, which is left for others. */
  atOnceOfParty?: number
  /** How much of it can belong to one organization, if each beyond `atOnceOfParty` is the only one of its user. */
  atOnceOfOrganization?: number
  /** How much work can wait. */
  queue: number
  /** How much of it can belong to one user, and to one organization. */
  queueOfParty: number
}

/**
 * Runs work when it has its turn. If too much work waits, the newest work of the party that has the most is refused: that
 * is the new work, or work that waits already. Work that runs is never refused.
 * @param signal takes back work that waits
 * @throws ShareFull
 */
export type Share = <T>(party: Party, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** Work that waits for its turn: exactly one of the two is called, unless its client leaves. */
interface WaitingWork {
  begin: () => void
  refuse: () => void
}

const shareFull = () => new ShareFull('Too much work waits already')

/**
 * A share of what all use, such as libuv's threads, for one kind of work that others can cause in numbers. Work beyond
 * the share waits outside, where users take turns, and then the organizations of each. There are fewer kinds that use
 * libuv's threads than quarters, so that some threads are always left for files.
 */
export function fairShare({
  atOnce = Math.max(1, Math.floor(THREADS / 4)),
  atOnceOfParty = Math.max(1, atOnce - 1),
  ...bounds
}: ShareLimits): Share {
  const waiting = fairQueue<WaitingWork>({ ...bounds, atOnceOfParty })
  let free = atOnce

  function advance(): void {
    while (free > 0) {
      const next = waiting.take()
      if (!next) return
      free -= 1
      next.item.begin()
    }
  }

  return async <T>(party: Party, work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted()
    if (!(free > 0 && waiting.mayRun(party)) && waiting.isFull(party)) {
      const displaced = waiting.displace(party)
      if (!displaced && !waiting.admitsFirst(party)) throw shareFull()
      displaced?.item.refuse()
    }

    const run = async () => {
      const start = performance.now()
      try {
        return await work()
      } finally {
        waiting.end(party, performance.now() - start)
        free += 1
        advance()
      }
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const own: WaitingWork = {
      begin: () => resolve(run()),
      refuse: () => reject(shareFull()),
    }
    const leave = () => {
      if (waiting.remove(party, own)) reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', leave, { once: true })
    waiting.add(party, own)
    advance()
    try {
      return await promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }
}

import { fairQueue } from './fair-queue.ts'

/**
 * The threads of libuv, which read files, compress, and resolve host names for the whole process, in the order of
 * arrival. `bin/lectern.js` starts more than the four that Node has by itself.
 */
const THREADS = Number(process.env['UV_THREADPOOL_SIZE']) || 4

/** Too much work waits already. */
export class ShareFull extends Error {
  override name = 'ShareFull'
}

/** The bounds of a share. */
export interface ShareLimits {
  /** How much work runs at once; by default, a quarter of the threads of libuv. */
  atOnce?: number
  /** How much work can wait. */
  queue: number
  /** How much of it can belong to one party. */
  queueOfParty: number
}

/** Runs work when it has its turn. @throws ShareFull */
export type Share = <T>(party: string, work: () => Promise<T>) => Promise<T>

/**
 * A share of libuv's threads for one kind of work that others can cause in numbers. Work beyond the share waits outside,
 * where parties take turns. There are fewer such kinds than quarters, so that some threads are always left for files.
 */
export function shareOfThreads({
  atOnce = Math.max(1, Math.floor(THREADS / 4)),
  queue,
  queueOfParty,
}: ShareLimits): Share {
  const waiting = fairQueue<() => void>()
  let free = atOnce

  function advance(): void {
    while (free > 0) {
      const next = waiting.take(() => true)
      if (!next) return
      free -= 1
      next.item()
    }
  }

  async function run<T>(party: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    try {
      return await work()
    } finally {
      waiting.charge(party, performance.now() - start)
      free += 1
      advance()
    }
  }

  return async (party, work) => {
    if (free > 0) {
      free -= 1
      return run(party, work)
    }
    if (waiting.size >= queue || waiting.sizeOf(party) >= queueOfParty)
      throw new ShareFull(`${waiting.size} tasks are waiting already`)
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(party, resolve)
    await promise
    return run(party, work)
  }
}

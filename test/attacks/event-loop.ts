/** How long an attack holds the event loop of the server, which runs in the process of the test. */

/**
 * No attack may hold the event loop for longer, in milliseconds of CPU time. A quiet machine needs less than half of it;
 * the rest is for caches that other processes use, and for collecting garbage.
 */
export const LONGEST_HOLD_MS = 100

/** What a piece of work did to the event loop. */
export interface Held<T> {
  /** The longest time for which the event loop could do nothing else, in milliseconds of the thread's CPU time. */
  ms: number
  value: T
}

/**
 * Runs `work` and measures the longest time between two turns of the event loop. CPU time is measured, so that a busy
 * machine does not change the result; a thread that waits for a lock or a disk is not noticed.
 */
export async function longestHold<T>(work: () => Promise<T>): Promise<Held<T>> {
  let longest = 0
  let last = process.threadCpuUsage()
  let turn: NodeJS.Immediate
  const watch = () => {
    const now = process.threadCpuUsage()
    longest = Math.max(longest, now.user + now.system - last.user - last.system)
    last = now
    turn = setImmediate(watch)
  }
  turn = setImmediate(watch)
  try {
    const value = await work()
    return { ms: longest / 1000, value }
  } finally {
    clearImmediate(turn)
  }
}

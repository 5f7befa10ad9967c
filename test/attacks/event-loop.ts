/** How long an attack holds the event loop of the server, which runs in the process of the test. */

import { machineSlowness } from '../slowness.ts'

/**
 * No attack may hold the event loop for longer, in milliseconds of CPU time on a quiet machine. Code that runs for the
 * first time needs about half of it; the rest is for collecting garbage.
 */
export const LONGEST_HOLD_MS = 100

/** What a piece of work did to the event loop. */
export interface Held<T> {
  /** The longest time for which the event loop could do nothing else, in milliseconds of the thread's CPU time. */
  cpuMs: number
  /** The same; if it is over the limit, divided by how much slower than a quiet machine this one was just then. */
  ms: number
  value: T
}

/** How often to look. A look at each turn would keep a core busy for as long as the work waits. */
const EVERY_MS = 1

/**
 * Runs `work` and measures the longest time between two turns of the event loop, to the millisecond. CPU time is
 * measured, so that a busy machine does not change the result; a thread that waits for a lock or a disk is not noticed.
 */
export async function longestHold<T>(work: () => Promise<T>): Promise<Held<T>> {
  let longest = 0
  let last = process.threadCpuUsage()
  const watch = () => {
    const now = process.threadCpuUsage()
    longest = Math.max(longest, now.user + now.system - last.user - last.system)
    last = now
  }
  const watching = setInterval(watch, EVERY_MS)
  try {
    const value = await work()
    watch()
    const cpuMs = longest / 1000
    // To measure the slowness takes 60 ms itself.
    const ms = cpuMs < LONGEST_HOLD_MS ? cpuMs : cpuMs / machineSlowness()
    return { ms, cpuMs, value }
  } finally {
    clearInterval(watching)
  }
}

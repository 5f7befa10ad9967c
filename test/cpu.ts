/**
 * The CPU time of this process so far, in milliseconds. Tests of cost compare it and not the clock, because other
 * processes on a busy machine do not add to it.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** How often a cost over the limit is measured, and how often a cost without one. */
const [ATTEMPTS, ATTEMPTS_WITHOUT_LIMIT] = [5, 3]

/**
 * The least CPU time of a piece of work, in milliseconds. Work that takes `most` or longer is done again, because a
 * collection of garbage or a job of another thread may fall into one run. With a `most` of 0, it is done three times.
 */
export async function leastCost(most: number, work: () => unknown): Promise<number> {
  const attempts = most > 0 ? ATTEMPTS : ATTEMPTS_WITHOUT_LIMIT
  let least = Infinity
  for (let attempt = 0; attempt < attempts && least >= most; attempt += 1) {
    const before = cpuTime()
    await work()
    least = Math.min(least, cpuTime() - before)
  }
  return least
}

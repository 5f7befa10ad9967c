const WINDOW = 60_000

/** What is left to a caller in the current minute (api-facts 1.1). */
export interface Allowance {
  limit: number
  remaining: number
  /** UTC epoch seconds at which the allowance is full again. */
  reset: number
  over: boolean
}

/** Counts requests by caller in fixed windows of a minute, in this process. */
export function rateLimiter(limit: number) {
  let window = 0
  let counts = new Map<string, number>()

  return function take(key: string, now: Date): Allowance {
    const current = Math.floor(now.getTime() / WINDOW)
    if (current !== window) {
      window = current
      counts = new Map()
    }
    const used = (counts.get(key) ?? 0) + 1
    counts.set(key, used)
    return {
      limit,
      remaining: Math.max(0, limit - used),
      reset: ((current + 1) * WINDOW) / 1000,
      over: used > limit,
    }
  }
}

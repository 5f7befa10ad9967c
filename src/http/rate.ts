import { tooMany } from './errors.ts'

const WINDOW = 60_000

/** What is left to a caller in the current window (api-facts 1.1). */
export interface Allowance {
  limit: number
  remaining: number
  /** UTC epoch seconds at which the allowance is full again. */
  reset: number
  over: boolean
}

/** Counts requests by caller in fixed windows, of a minute unless told otherwise, in this process. */
export function rateLimiter(limit: number, windowMs: number = WINDOW) {
  let window = 0
  let counts = new Map<string, number>()

  return function take(key: string, now: Date): Allowance {
    const current = Math.floor(now.getTime() / windowMs)
    if (current !== window) {
      window = current
      counts = new Map()
    }
    const used = (counts.get(key) ?? 0) + 1
    counts.set(key, used)
    return {
      limit,
      remaining: Math.max(0, limit - used),
      reset: ((current + 1) * windowMs) / 1000,
      over: used > limit,
    }
  }
}

const ATTEMPT_WINDOW = 15 * 60_000

/**
 * Limits attempts to prove who one is, such as signing in: 10 for an address and 100 from one place in 15 minutes,
 * in this process.
 */
export function attemptLimiter() {
  const byAddress = rateLimiter(10, ATTEMPT_WINDOW)
  const byIp = rateLimiter(100, ATTEMPT_WINDOW)

  return ({ ip, address }: { ip: string; address?: string }, now: Date): void => {
    const allowances = [byIp(ip, now), ...(address === undefined ? [] : [byAddress(address, now)])]
    const over = allowances.find((allowance) => allowance.over)
    if (!over) return
    const seconds = Math.max(1, over.reset - Math.floor(now.getTime() / 1000))
    throw tooMany('Too many attempts; wait before trying again', seconds)
  }
}

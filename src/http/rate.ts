import { tooMany } from './errors.ts'

const WINDOW = 60_000

/** How many requests a caller may still send in the current window. */
export interface Allowance {
  limit: number
  remaining: number
  /** The UTC epoch seconds at which the window ends. */
  reset: number
  over: boolean
}

/** Counts requests by caller in fixed windows, one minute by default. Each process counts for itself. */
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
 * Limits attempts to authenticate: 10 for one e-mail address and 100 from one IP address in 15 minutes. Each process
 * counts for itself.
 */
export function attemptLimiter() {
  const byAddress = rateLimiter(10, ATTEMPT_WINDOW)
  const byIp = rateLimiter(100, ATTEMPT_WINDOW)

  return ({ ip, address }: { ip: string; address?: string }, now: Date): void => {
    const allowances = [byIp(ip, now), ...(address === undefined ? [] : [byAddress(address, now)])]
    const over = allowances.find((allowance) => allowance.over)
    if (!over) return
    const seconds = Math.max(1, over.reset - Math.floor(now.getTime() / 1000))
    throw tooMany(`Too many attempts; retry in ${seconds} seconds`, seconds)
  }
}

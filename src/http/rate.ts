import { tooMany } from './errors.ts'
import { networkOf } from './networks.ts'

const WINDOW = 60_000

/** How many requests a caller may still send in the current window. */
export interface Allowance {
  limit: number
  remaining: number
  /** The UTC epoch seconds at which the window ends. */
  reset: number
  over: boolean
}

/** Callers that are counted at once. Beyond it, the one that was seen first in the window is forgotten. */
const CALLERS_MAX = 200_000

/** Counts requests by caller in fixed windows, one minute by default. Each process counts for itself. */
export function rateLimiter(limit: number, windowMs: number = WINDOW, callersMax: number = CALLERS_MAX) {
  let window = 0
  let counts = new Map<string, number>()

  return function take(key: string, now: Date): Allowance {
    const current = Math.floor(now.getTime() / windowMs)
    if (current !== window) {
      window = current
      counts = new Map()
    }
    const before = counts.get(key)
    if (before === undefined && counts.size >= callersMax) counts.delete(counts.keys().next().value ?? '')
    const used = (before ?? 0) + 1
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

/** An attempt to authenticate, and what it is counted by. */
export interface Attempt {
  ip: string
  /** Counts attempts of all clients together, for what a stranger cannot use up to anyone's harm. */
  key?: string
  /** The e-mail address that a password was sent for, in lower case. */
  email?: string
  /** The name of a device from which the user of `email` signed in before. */
  device?: string | undefined
}

/**
 * Limits attempts to authenticate in 15 minutes: 100 from one network; for one e-mail address 10 from one network and
 * 100 from all. A known device has 10 attempts of its own instead, so that nobody can lock a user out. Each process
 * counts for itself.
 */
export function attemptLimiter() {
  const byDevice = rateLimiter(10, ATTEMPT_WINDOW)
  const byKey = rateLimiter(10, ATTEMPT_WINDOW)
  const byNetwork = rateLimiter(100, ATTEMPT_WINDOW)
  const byEmailAndNetwork = rateLimiter(10, ATTEMPT_WINDOW)
  const byEmail = rateLimiter(100, ATTEMPT_WINDOW)

  return ({ ip, key, email, device }: Attempt, now: Date): void => {
    const demand = (take: typeof byDevice, counted: string) => {
      const { over, reset } = take(counted, now)
      if (!over) return
      const seconds = Math.max(1, reset - Math.floor(now.getTime() / 1000))
      throw tooMany(`Too many attempts; retry in ${seconds} seconds`, seconds)
    }
    if (device !== undefined) return demand(byDevice, device)

    // In this order, an attempt that one limit refuses does not count towards the next, so that one network alone never
    // uses up the attempts of all.
    const network = networkOf(ip)
    demand(byNetwork, network)
    if (key !== undefined) demand(byKey, key)
    if (email === undefined) return
    demand(byEmailAndNetwork, `${network} ${email}`)
    demand(byEmail, email)
  }
}

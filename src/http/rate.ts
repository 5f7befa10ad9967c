import type { Counted } from './networks.ts'

const WINDOW = 60_000

/** How many requests a caller may still send in the current window. */
export interface Allowance {
  limit: number
  remaining: number
  /** The UTC epoch seconds at which the window ends. */
  reset: number
  over: boolean
}

/** The limits of a network of each level. */
export type Limits = readonly [number, number, number]

/** Callers of each level that are counted at once. Beyond it, the one that was seen first in the window is forgotten. */
const CALLERS_MAX = 200_000

/** The limits of networks, if that of the smallest ones is `limit`. */
const limitsFor = (limit: number): Limits => [limit, 4 * limit, 16 * limit]

/**
 * Counts requests by caller in fixed windows, one minute by default. Each process counts for itself.
 * @param limits of each level of networks; of a number, `limitsFor` it
 */
export function rateLimiter(
  limits: number | Limits,
  windowMs: number = WINDOW,
  callersMax: number = CALLERS_MAX,
) {
  const limitOf = typeof limits === 'number' ? limitsFor(limits) : limits
  let window = 0
  let counts = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()] as const

  function takeOne(name: string, level: 0 | 1 | 2): Allowance {
    const own = counts[level]
    const limit = limitOf[level]
    const before = own.get(name)
    if (before === undefined && own.size >= callersMax) own.delete(own.keys().next().value ?? '')
    const used = (before ?? 0) + 1
    own.set(name, used)
    return {
      limit,
      remaining: Math.max(0, limit - used),
      reset: ((window + 1) * windowMs) / 1000,
      over: used > limit,
    }
  }

  /** The allowance of the network that has the least left. What a larger network refuses does not count in a smaller one. */
  return function take(counted: Counted, now: Date): Allowance {
    const current = Math.floor(now.getTime() / windowMs)
    if (current !== window) {
      window = current
      counts = [new Map(), new Map(), new Map()]
    }
    if (typeof counted === 'string') return takeOne(counted, 0)
    let least: Allowance | undefined
    for (let i = counted.length - 1; i >= 0; i--) {
      const { name, level } = counted[i]!
      const allowance = takeOne(name, level)
      if (allowance.over) return allowance
      if (!least || allowance.remaining <= least.remaining) least = allowance
    }
    return least!
  }
}

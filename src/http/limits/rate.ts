import type { Counted, Network } from './networks.ts'
import type { SharedCounts } from './shared-counts.ts'

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

/** Copies of the server tell each other what a caller has used from this part of a limit on. */
const SHARED_PART = 0.1
/** How many counts are exchanged at once. The others follow. */
const EXCHANGED_AT_ONCE = 1_000

/** Counts a request. @returns what the caller has left */
export type Take = (counted: Counted, now: Date) => Allowance

/** A count of a caller in a window. */
interface Use {
  /** Unique in a limiter. */
  id: string
  name: string
  counts: Map<string, number>
  /** When the window ends, in milliseconds. */
  endsAt: number
}

/** Limiters whose counts all copies of the server on one database share. */
export interface Rates {
  /** @param what names the limit; one limiter has it */
  limiter(what: string, limits: number | Limits, windowMs?: number): Take
  /** Adds what this process has counted to the counts of all, and learns what the others have. The server does it every second. */
  exchange(): Promise<void>
}

/** The limits of networks, if that of the smallest ones is `limit`. */
const limitsFor = (limit: number): Limits => [limit, 4 * limit, 16 * limit]

/**
 * Counts requests by caller in fixed windows, one minute by default. Each process counts for itself; `sharedRates` has
 * limiters that count together.
 * @param limits of each level of networks; of a number, `limitsFor` it
 * @param onUse hears of what callers use, once they have used a tenth of a limit
 */
export function rateLimiter(
  limits: number | Limits,
  windowMs: number = WINDOW,
  callersMax: number = CALLERS_MAX,
  onUse?: (use: Use) => void,
): Take {
  const limitOf = typeof limits === 'number' ? limitsFor(limits) : limits
  let window = 0
  let counts = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()] as const

  function countIn({ name, level }: Network): void {
    const own = counts[level]
    const before = own.get(name)
    if (before === undefined && own.size >= callersMax) own.delete(own.keys().next().value ?? '')
    const used = (before ?? 0) + 1
    own.set(name, used)
    if (onUse && used >= limitOf[level] * SHARED_PART)
      onUse({ id: `${window} ${level} ${name}`, name, counts: own, endsAt: (window + 1) * windowMs })
  }

  /**
   * The allowance of the network that has the least left. What one network refuses counts in none, so that a client
   * cannot use up the limit of a network around it.
   */
  return function take(counted: Counted, now: Date): Allowance {
    const current = Math.floor(now.getTime() / windowMs)
    if (current !== window) {
      window = current
      counts = [new Map(), new Map(), new Map()]
    }
    const networks: readonly Network[] = typeof counted === 'string' ? [{ name: counted, level: 0 }] : counted
    const reset = ((window + 1) * windowMs) / 1000
    let least: Allowance | undefined
    for (const { name, level } of networks) {
      const limit = limitOf[level]
      const remaining = limit - (counts[level].get(name) ?? 0) - 1
      if (remaining < 0) return { limit, remaining: 0, reset, over: true }
      if (!least || remaining < least.remaining) least = { limit, remaining, reset, over: false }
    }
    for (const network of networks) countIn(network)
    return least!
  }
}

/**
 * Limiters that count in memory, so that no request waits for the database. Of the callers that have used a tenth of a
 * limit, an exchange adds what is new to the counts in the database and reads their sums. A caller can therefore exceed a
 * limit by a tenth for each further copy, and by what the copies serve between two exchanges. An idle server exchanges
 * nothing.
 */
export function sharedRates(counts: SharedCounts, now: () => Date): Rates {
  /** What has been used since the last exchange. */
  const due = new Map<string, Use>()
  /** What the database had after the last exchange, for the windows that have not ended. */
  const known = new Map<string, { used: number; endsAt: number }>()
  let exchanging: Promise<void> | undefined

  async function exchangeDue(): Promise<void> {
    const at = now().getTime()
    for (const ended of [known, due]) for (const [id, { endsAt }] of ended) if (endsAt <= at) ended.delete(id)
    const uses = [...due].slice(0, EXCHANGED_AT_ONCE)
    if (uses.length === 0) return
    for (const [id] of uses) due.delete(id)
    const sent = uses.map(([, { name, counts: own }]) => own.get(name) ?? 0)
    const additions = uses.map(([id, { endsAt }], i) => ({
      name: id,
      amount: Math.max(0, sent[i]! - (known.get(id)?.used ?? 0)),
      endsAt,
    }))
    try {
      const totals = await counts.add(additions)
      uses.forEach(([id, { name, counts: own, endsAt }], i) => {
        known.set(id, { used: totals[i]!, endsAt })
        own.set(name, (own.get(name) ?? 0) + totals[i]! - sent[i]!)
      })
    } catch (error) {
      for (const [id, use] of uses) due.set(id, use)
      throw error
    }
  }

  return {
    limiter: (what, limits, windowMs = WINDOW) =>
      rateLimiter(limits, windowMs, CALLERS_MAX, (use) => due.set(`${what} ${use.id}`, use)),
    exchange() {
      exchanging ??= exchangeDue().finally(() => {
        exchanging = undefined
      })
      return exchanging
    },
  }
}

import { tooMany } from './errors.ts'
import { countedFor, networksOf } from './networks.ts'
import { rateLimiter } from './rate.ts'

const ATTEMPT_WINDOW = 15 * 60_000

/** An attempt to authenticate, and what it is counted by. */
export interface Attempt {
  ip: string
  /**
   * What proves who somebody is; by default, a password or a code. Links and passkeys, which cannot be guessed, are
   * counted apart: they are the way in for people whose address or network is locked by the passwords of others.
   */
  by?: 'link' | 'passkey'
  /** Counts attempts of all clients together, for what a stranger cannot use up to anyone's harm. */
  key?: string
  /** The e-mail address that a password was sent for, in lower case. */
  email?: string
  /** The name of a device from which the user of `email` signed in before. */
  device?: string | undefined
}

/**
 * Limits attempts to authenticate in 15 minutes: 100 from one network; for one e-mail address 10 from one network and
 * 100 from all. Networks of IPv6 that one customer may have together have twice and four times as many. A known device
 * has 10 attempts apart from these, so that nobody can lock a user out. Each process counts for itself.
 */
export function attemptLimiter() {
  const byDevice = rateLimiter(10, ATTEMPT_WINDOW)
  const byKey = rateLimiter(10, ATTEMPT_WINDOW)
  const byNetwork = rateLimiter([100, 200, 400], ATTEMPT_WINDOW)
  const byEmailAndNetwork = rateLimiter([10, 20, 40], ATTEMPT_WINDOW)
  const byEmail = rateLimiter(100, ATTEMPT_WINDOW)

  return ({ ip, by, key, email, device }: Attempt, now: Date): void => {
    const demand = (take: typeof byDevice, counted: Parameters<typeof byDevice>[0]) => {
      const { over, reset } = take(counted, now)
      if (!over) return
      const seconds = Math.max(1, reset - Math.floor(now.getTime() / 1000))
      throw tooMany(`Too many attempts; retry in ${seconds} seconds`, seconds)
    }
    if (device !== undefined) return demand(byDevice, device)

    // In this order, an attempt that one limit refuses does not count towards the next, so that one customer alone never
    // uses up the attempts of all.
    const networks = networksOf(ip)
    demand(byNetwork, by ? countedFor(by, networks) : networks)
    if (key !== undefined) demand(byKey, key)
    if (email === undefined) return
    demand(byEmailAndNetwork, countedFor(email, networks))
    demand(byEmail, email)
  }
}

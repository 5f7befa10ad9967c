import { ReasonedError } from '../../core/languages/reasoned.ts'

/** For how long a kind of job is tried, and how long it waits after each failure. All times are milliseconds. */
export interface Tries {
  /** The wait after the first failure. Each later one is twice as long. */
  firstMs: number
  /** The longest wait. */
  mostMs: number
  /** A job that fails this long after its first try, or would wait for longer, has failed for good. */
  forMs: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * However late the first tries are, a job has this many: a server that was stopped for a week must not give up at the
 * first failure after its start.
 */
const LEAST = 8

/** A wait differs by up to a tenth, so that jobs that failed together do not come back together. */
const JITTER = 0.1

/** Work in the database and the process: about eight times in five minutes. What fails then is an error of the program. */
export const TRIES_INSIDE: Tries = { firstMs: 2_000, mostMs: HOUR, forMs: 5 * MINUTE }

/** E-mails, as mail servers try them (RFC 5321, section 4.5.4.1): for five days, at last every four hours. */
export const TRIES_OF_MAIL: Tries = { firstMs: MINUTE, mostMs: 4 * HOUR, forMs: 5 * DAY }

/** What a renderer has to forget: soon, as long as it restarts, and for a day, after which it asks again by itself. */
export const TRIES_OF_RENDERER: Tries = { firstMs: 2_000, mostMs: 10 * MINUTE, forMs: DAY }

/** Work that needs the blob store or other hosts, which can fail over a weekend: for three days, at last every hour. */
export const TRIES_OUTSIDE: Tries = { firstMs: 30_000, mostMs: HOUR, forMs: 3 * DAY }

/** Work that needs the blob store and is enqueued every day anyway: for half a day. */
export const TRIES_UNTIL_TOMORROW: Tries = { firstMs: 30_000, mostMs: HOUR, forMs: DAY / 2 }

/** Jobs of kinds that this version does not know: during an update, a newer copy may have enqueued them. */
export const TRIES_OF_UNKNOWN: Tries = { firstMs: MINUTE, mostMs: HOUR, forMs: DAY }

/** An error that no later try can mend, such as an address that does not exist. The job fails for good at once. */
export class PermanentFault extends ReasonedError {}

/**
 * When a job that failed is tried again; undefined if it failed for good.
 * @param attempts how often it was tried, 1 or more
 * @param random from 0 to 1
 */
export function nextTry(
  { firstMs, mostMs, forMs }: Tries,
  { attempts, firstTriedAt, now }: { attempts: number; firstTriedAt: Date; now: Date },
  random: number = Math.random(),
): Date | undefined {
  const waitMs = Math.min(firstMs * 2 ** (attempts - 1), mostMs) * (1 - JITTER + 2 * JITTER * random)
  const next = now.getTime() + Math.round(waitMs)
  if (attempts >= LEAST && next > firstTriedAt.getTime() + forMs) return undefined
  return new Date(next)
}

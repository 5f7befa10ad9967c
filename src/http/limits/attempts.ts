import { tooMany } from '../errors.ts'
import { networksOf, partyOf } from './networks.ts'
import type { Limits } from './rate.ts'
import type { SharedCounts } from './shared-counts.ts'
import { because } from '../../core/languages/reasons.ts'

const ATTEMPT_WINDOW = 15 * 60_000
const FAMILIAR_MS = 30 * 24 * 60 * 60_000
const OF_NETWORK: Limits = [100, 200, 400]
const OF_EMAIL_AND_NETWORK: Limits = [10, 20, 40]

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

/** A limit of attempts, and who has it. */
interface Limited {
  name: string
  limit: number
}

/** What is known of the network that an attempt comes from. */
export interface Standing {
  /** The attempts from the largest network around it in these 15 minutes. */
  tried: number
  /** Whether the user of the e-mail address has signed in from this network in the last 30 days. */
  isFamiliar: boolean
}

/** Counts an attempt. @throws 429 after too many */
export interface AttemptLimiter {
  (attempt: Attempt, now: Date): Promise<void>
  /** Refuses an attempt that would be refused, and counts nothing: call it before what may refuse the attempt as well. @throws 429 */
  check(attempt: Attempt, now: Date): Promise<Standing>
  /** Notes that a password for an e-mail address was right, so that the network is familiar from now on. */
  noteSignIn(from: Required<Pick<Attempt, 'ip' | 'email'>>, now: Date): Promise<void>
}

/**
 * Limits attempts to authenticate in 15 minutes: 100 from one network; for one e-mail address 10 from one network and
 * 100 from all. Networks of IPv6 that one customer may have together have twice and four times as many. A known device
 * has 10 attempts apart from these, so that nobody can lock a user out. All copies of the server count together. An
 * attempt that one limit refuses counts towards none, so that one customer alone never uses up the attempts of all.
 * The limiter counts in a transaction of its own, because an attempt counts even if what follows fails. Call it outside of
 * other transactions.
 */
export function attemptLimiter(counts: SharedCounts): AttemptLimiter {
  const check = async (attempt: Attempt, now: Date): Promise<Standing> => {
    const { names, refuse } = countsOf(attempt, now)
    const { ip, email, device } = attempt
    const familiar = email === undefined ? [] : [familiarName({ ip, email })]
    const used = await counts.read([...names, ...familiar])
    refuse(used, (limit) => limit - 1)
    const tried = device === undefined ? used[networksOf(ip).length - 1]! : 0
    return { tried, isFamiliar: email !== undefined && used.at(-1)! > 0 }
  }
  const count = async (attempt: Attempt, now: Date) => {
    // Reading first, so that a flood of attempts that are refused writes nothing.
    await check(attempt, now)
    const { names, endsAt, refuse } = countsOf(attempt, now)
    await counts.add(
      names.map((name) => ({ name, amount: 1, endsAt })),
      (used) => refuse(used, (limit) => limit),
    )
  }
  const noteSignIn = async (from: Required<Pick<Attempt, 'ip' | 'email'>>, now: Date) => {
    await counts.add([{ name: familiarName(from), amount: 1, endsAt: now.getTime() + FAMILIAR_MS }])
  }
  return Object.assign(count, { check, noteSignIn })
}

const familiarName = ({ ip, email }: Required<Pick<Attempt, 'ip' | 'email'>>) =>
  `signed in ${email} ${partyOf(networksOf(ip))}`

/** The counts of an attempt, and what refuses it by them. */
interface AttemptCounts {
  names: string[]
  /** When they begin anew, in milliseconds. */
  endsAt: number
  /** @param most how much of each limit may be used. @throws 429 */
  refuse(used: readonly number[], most: (limit: number) => number): void
}

function countsOf(attempt: Attempt, now: Date): AttemptCounts {
  const window = Math.floor(now.getTime() / ATTEMPT_WINDOW)
  const endsAt = (window + 1) * ATTEMPT_WINDOW
  const limits = limitsOf(attempt)
  const refuse = (used: readonly number[], most: (limit: number) => number) => {
    if (limits.every(({ limit }, i) => used[i]! <= most(limit))) return
    const seconds = Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000))
    const reason = attempt.email === undefined ? 'too-many-attempts' : 'too-many-password-attempts'
    throw tooMany(because(reason, { seconds }), seconds)
  }
  return { names: limits.map(({ name }) => `attempts ${window} ${name}`), endsAt, refuse }
}

function limitsOf({ ip, by, key, email, device }: Attempt): Limited[] {
  if (device !== undefined) return [{ name: `device ${device}`, limit: 10 }]
  const networks = networksOf(ip)
  const each = (what: string, limits: Limits): Limited[] =>
    networks.map(({ name, level }) => ({ name: `${what} ${name}`, limit: limits[level] }))
  return [
    ...each(`network ${by ?? ''}`, OF_NETWORK),
    ...(key === undefined ? [] : [{ name: `key ${key}`, limit: 10 }]),
    ...(email === undefined
      ? []
      : [...each(`email ${email}`, OF_EMAIL_AND_NETWORK), { name: `email ${email}`, limit: 100 }]),
  ]
}

import { inPasswordTurn, type PasswordTurn } from '../../access/credentials/passwords.ts'
import type { Reader, Tx } from '../../db/schema.ts'
import { ApiError, forbidden, invalidField } from '../../http/errors.ts'
import type { Attempt } from '../../http/limits/attempts.ts'
import { networksOf, partyOf } from '../../http/limits/networks.ts'
import type { Caller, Services } from '../../http/route.ts'
import { because } from '../../core/languages/reasons.ts'

/** For how long a session proves that the person is there, so that they need not send their password again. */
const FRESH_MS = 15 * 60_000

/** 401 for every cause, so that nobody learns which addresses have accounts. */
const wrongPassword = () => new ApiError(401, because('credentials-wrong'))

/** An attempt with a password. */
export interface PasswordAttempt {
  counted: Attempt
  /** The user whom the client has already proven to know, as `PasswordSender` has it. */
  known: string | undefined
  now: Date
  /** Aborts when the client leaves, which ends the attempt while it waits. */
  signal?: AbortSignal | undefined
}

/**
 * Does work with a password in its turn. The attempt counts when the turn comes: one that is refused because too many
 * passwords wait does not count.
 * @throws 429, 503 if too many passwords wait
 */
export async function tryPassword<T>(
  { attempt }: Pick<Services, 'attempt'>,
  { counted, known, now, signal }: PasswordAttempt,
  work: (turn: PasswordTurn) => Promise<T>,
): Promise<T> {
  // Attempts that are certain to be refused take no place from others.
  const { tried, isFamiliar } = await attempt.check(counted, now)
  const inTurn = async (turn: PasswordTurn) => {
    await attempt(counted, now)
    return work(turn)
  }
  const { ip, email } = counted
  // Apart from the user's devices, because others in the network can send the address too.
  const familiar = isFamiliar ? `${email} ${partyOf(networksOf(ip))}` : undefined
  return inPasswordTurn({ ip, known: known ?? familiar, tried }, inTurn, signal)
}

/** A user whose password was right. */
export interface KnownPassword {
  id: string
  email: string
  /** The stored form of it, to notice that it has changed since. */
  passwordHash: string
}

/**
 * Checks an e-mail address and a password. It takes as long if the address is unknown. A second factor is still to be
 * checked.
 * @param from.device what `devices.issue` returned to this client before
 * @throws 401, 429, 503 if too many passwords wait to be checked
 */
export async function checkPassword(
  { db, attempt, devices, own }: Pick<Services, 'attempt' | 'devices' | 'own'> & { db: Reader },
  from: {
    email: string
    password: string
    device: string | undefined
    ip: string
    now: Date
    signal?: AbortSignal
  },
): Promise<KnownPassword> {
  const { ip, now, signal } = from
  const email = from.email.toLowerCase()
  const device = devices.recognize(from.device ?? '', email, now)
  const trying = { counted: { ip, device, email }, known: device && email, now, signal }
  const known = await tryPassword({ attempt }, trying, async ({ matches }) => {
    const account = await db
      .selectFrom('user')
      .innerJoin('account', 'account.userId', 'user.id')
      .select(['user.id', 'account.passwordHash'])
      .where('user.email', '=', email)
      .executeTakeFirst()
    const right = await matches(account?.passwordHash, from.password)
    if (!account?.passwordHash || !right) {
      own.noteFailedSignIn(ip, now)
      throw wrongPassword()
    }
    return { id: account.id, email, passwordHash: account.passwordHash }
  })
  await attempt.noteSignIn({ ip, email }, now)
  return known
}

/** Counts an attempt to send a code of a second factor. @throws 429 */
export async function countCode(
  { attempt, devices }: Pick<Services, 'attempt' | 'devices'>,
  from: { userId: string; email: string; device: string | undefined; ip: string; now: Date },
): Promise<void> {
  const device = devices.recognize(from.device ?? '', from.email, from.now)
  await attempt({ ip: from.ip, key: `code:${from.userId}`, device: device && `code ${device}` }, from.now)
}

/** Checks in the transaction that the password has not changed since `checkPassword`. @throws 401 */
export async function needSamePassword(tx: Tx, { id, passwordHash }: KnownPassword): Promise<void> {
  const account = await tx
    .selectFrom('account')
    .select('passwordHash')
    .where('userId', '=', id)
    .executeTakeFirst()
  if (account?.passwordHash !== passwordHash) throw wrongPassword()
}

/**
 * Checks that the person is there, and not somebody with their token or an open browser: they signed in with the browser
 * minutes ago, or send their password.
 * @throws 400 for a wrong password, 403 without one, 429, 503
 */
export async function needPresence(
  { me, now, ...rest }: OfCaller,
  password: string | undefined,
): Promise<void> {
  if (password === undefined && isFresh(me, now)) return
  if (password === undefined) throw forbidden(because('password-required'))
  await tryOwnPassword({ me, now, ...rest }, 'presence', async (stored, { matches }) => {
    if (!(await matches(stored, password))) throw invalidField('body.password', because('password-wrong'))
  })
}

/** A caller who sends their password. */
export type OfCaller = { db: Reader; me: Caller; ip: string; now: Date; signal: AbortSignal } & Pick<
  Services,
  'attempt'
>

/**
 * Does work with the password of the caller in its turn, with the stored form of it.
 * @param purpose what the attempts are counted for
 * @throws 429, 503
 */
export function tryOwnPassword<T>(
  { db, me, attempt, ip, now, signal }: OfCaller,
  purpose: 'presence' | 'change' | 'token',
  work: (stored: string | null | undefined, turn: PasswordTurn) => Promise<T>,
): Promise<T> {
  const counted = { ip, key: `${purpose}:${me.userId}` }
  return tryPassword({ attempt }, { counted, known: me.userId, now, signal }, async (turn) => {
    const account = await db
      .selectFrom('account')
      .select('passwordHash')
      .where('userId', '=', me.userId)
      .executeTakeFirst()
    return work(account?.passwordHash, turn)
  })
}

/** Whether a caller signed in with a browser minutes ago. */
export function isFresh({ session }: Caller, now: Date): boolean {
  return session !== undefined && now.getTime() - Date.parse(session.createdAt) < FRESH_MS
}

import { isPassword, needRoomForPassword } from '../../access/credentials/passwords.ts'
import type { Reader, Tx } from '../../db/schema.ts'
import { ApiError, forbidden, invalidField } from '../../http/errors.ts'
import type { Caller, Services } from '../../http/route.ts'
import { because } from '../../core/languages/reasons.ts'

/** For how long a session proves that the person is there, so that they need not send their password again. */
const FRESH_MS = 15 * 60_000

/** 401 for every cause, so that nobody learns which addresses have accounts. */
const wrongPassword = () => new ApiError(401, because('credentials-wrong'))

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
  from: { email: string; password: string; device: string | undefined; ip: string; now: Date },
): Promise<KnownPassword> {
  const email = from.email.toLowerCase()
  const sender = { ip: from.ip, device: devices.recognize(from.device ?? '', email, from.now) }
  needRoomForPassword(sender)
  await attempt({ ...sender, email }, from.now)
  const account = await db
    .selectFrom('user')
    .innerJoin('account', 'account.userId', 'user.id')
    .select(['user.id', 'account.passwordHash'])
    .where('user.email', '=', email)
    .executeTakeFirst()
  const right = await isPassword(account?.passwordHash, from.password, sender)
  if (!account?.passwordHash || !right) {
    own.noteFailedSignIn(from.ip, from.now)
    throw wrongPassword()
  }
  return { id: account.id, email, passwordHash: account.passwordHash }
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
  { db, me, attempt, ip, now }: { db: Reader; me: Caller; ip: string; now: Date } & Pick<Services, 'attempt'>,
  password: string | undefined,
): Promise<void> {
  if (password === undefined && isFresh(me, now)) return
  if (password === undefined) throw forbidden(because('password-required'))
  needRoomForPassword({ ip })
  await attempt({ ip, key: `presence:${me.userId}` }, now)
  const account = await db
    .selectFrom('account')
    .select('passwordHash')
    .where('userId', '=', me.userId)
    .executeTakeFirst()
  if (!(await isPassword(account?.passwordHash, password, { ip })))
    throw invalidField('body.password', because('password-wrong'))
}

/** Whether a caller signed in with a browser minutes ago. */
export function isFresh({ session }: Caller, now: Date): boolean {
  return session !== undefined && now.getTime() - Date.parse(session.createdAt) < FRESH_MS
}

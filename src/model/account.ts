import { Type } from 'typebox'
import { hashSecret } from '../access/tokens.ts'
import { randomText } from '../core/id.ts'
import type { Reader, Row, Tx } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'
import { insertToken, toToken } from './token.ts'

const DAY = 24 * 60 * 60_000
const GOOD_FOR = { invitation: 7 * DAY, 'password-reset': 60 * 60_000 }
const SESSION = 30 * DAY
const SECRET_LENGTH = 40

/** A new password. Length is what counts; nothing is asked of its characters. */
export const Password = Type.String({ minLength: 10, maxLength: 256 })
export const Email = Type.String({ format: 'email', maxLength: 254 })
export const LinkSecret = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'What the link has after “#”',
})

/** Makes the secret of a link that proves who uses it, good once; earlier ones for the same purpose end. */
export async function insertAccountToken(
  tx: Tx,
  fields: Pick<Row<'accountToken'>, 'userId' | 'purpose' | 'organizationId'> & { mailed: boolean; now: Date },
): Promise<string> {
  const { userId, purpose, organizationId, mailed, now } = fields
  const secret = randomText(SECRET_LENGTH)
  await tx.deleteFrom('accountToken').where('userId', '=', userId).where('purpose', '=', purpose).execute()
  await tx
    .insertInto('accountToken')
    .values({
      hash: hashSecret(secret),
      userId,
      purpose,
      organizationId,
      mailed: mailed ? 1 : 0,
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + GOOD_FOR[purpose]).toISOString(),
      usedAt: null,
    })
    .execute()
  return secret
}

/** The link with this secret, if it may still be used. @throws 404 with the same words whatever is wrong */
export async function needAccountToken(
  db: Reader,
  secret: string,
  purpose: Row<'accountToken'>['purpose'],
  now: Date,
): Promise<Row<'accountToken'>> {
  const row = await db
    .selectFrom('accountToken')
    .selectAll()
    .where('hash', '=', hashSecret(secret))
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now.toISOString())
    .executeTakeFirst()
  if (!row) throw notFound('This link is unknown, used or expired')
  return row
}

/** Uses a link up and sets the password with it; a link that came by mail proves the address. @throws 404 */
export async function usePasswordLink(
  tx: Tx,
  fields: { secret: string; purpose: Row<'accountToken'>['purpose']; passwordHash: string; now: Date },
): Promise<string> {
  const { secret, purpose, passwordHash, now } = fields
  const { hash, userId, mailed } = await needAccountToken(tx, secret, purpose, now)
  await tx.updateTable('accountToken').set({ usedAt: now.toISOString() }).where('hash', '=', hash).execute()
  if (mailed === 1) await endClaim(tx, userId)
  await setPassword(tx, { userId, passwordHash, verified: mailed === 1, now })
  return userId
}

/**
 * Ends what somebody made with a password for an address that was not known to be theirs: now it is known whose it is,
 * and whoever passed on, or kept, the link of an invitation shall not stay in.
 */
async function endClaim(tx: Tx, userId: string): Promise<void> {
  const claim = await tx
    .selectFrom('account')
    .select('userId')
    .where('userId', '=', userId)
    .where('emailVerifiedAt', 'is', null)
    .executeTakeFirst()
  if (claim) await tx.deleteFrom('token').where('userId', '=', userId).execute()
}

/**
 * Sets a password, and ends the invitations that another one could be set with: whoever was shown the link of one
 * shall not take the account over.
 * @param verified the address is known to be theirs; false takes nothing back
 */
export async function setPassword(
  tx: Tx,
  fields: { userId: string; passwordHash: string; verified: boolean; now: Date },
): Promise<void> {
  const updatedAt = fields.now.toISOString()
  const changed = {
    passwordHash: fields.passwordHash,
    updatedAt,
    ...(fields.verified && { emailVerifiedAt: updatedAt }),
  }
  await tx
    .insertInto('account')
    .values({ userId: fields.userId, emailVerifiedAt: null, ...changed })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(changed))
    .execute()
  await tx
    .deleteFrom('accountToken')
    .where('userId', '=', fields.userId)
    .where('purpose', '=', 'invitation')
    .where('usedAt', 'is', null)
    .execute()
}

/** Makes the token of somebody who has just proved who they are; it ends by itself. */
export async function startSession(tx: Tx, userId: string, now: Date, id: string) {
  const { row, token } = await insertToken(tx, {
    id,
    userId,
    label: 'Signed in',
    session: true,
    now,
    expiresAt: new Date(now.getTime() + SESSION).toISOString(),
  })
  return { ...toToken(row), token }
}

/** Ends every session of a user, but not the tokens they made. */
export async function endSessions(tx: Tx, userId: string, but = ''): Promise<void> {
  await tx
    .deleteFrom('token')
    .where('userId', '=', userId)
    .where('session', '=', 1)
    .where('id', '!=', but)
    .execute()
}

/** The domain of the address that a user has proved to be theirs. */
export async function verifiedDomain(db: Reader, userId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('user')
    .innerJoin('account', 'account.userId', 'user.id')
    .select('user.email')
    .where('user.id', '=', userId)
    .where('account.emailVerifiedAt', 'is not', null)
    .executeTakeFirst()
  return found?.email?.split('@').at(-1)
}

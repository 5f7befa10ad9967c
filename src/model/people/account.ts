import { Type } from 'typebox'
import { hashSecret } from '../../access/credentials/tokens.ts'
import { randomText } from '../../core/data/id.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { missing } from '../../http/errors.ts'
import type { SessionTimes } from '../../http/route.ts'
import { insertToken, toToken } from './token.ts'
import { because } from '../../core/languages/reasons.ts'

const DAY = 24 * 60 * 60_000
const GOOD_FOR = { invitation: 7 * DAY, 'password-reset': 60 * 60_000, 'sign-in': 10 * 60_000 }
const SECRET_LENGTH = 40

/** A new password. Only its length is checked (NIST SP 800-63B). */
export const Password = Type.String({ minLength: 10, maxLength: 256 })
/** The password of the caller, as a request sends it. */
export const GivenPassword = Type.String({ minLength: 1, maxLength: 256 })
export const Email = Type.String({ format: 'email', maxLength: 254 })
export const LinkSecret = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The part of the link after `#`',
})

/** Creates the secret of a link that can be used once. It replaces earlier links of the user for the same purpose. */
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

/** Loads an unused link by its secret. @throws 404 with the same message for unknown, used and expired links */
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
  if (!row) throw missing(because('link-unknown'))
  return row
}

/** Sets a password with a link, which expires. A link from an e-mail verifies the address. @throws 404 */
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
 * Deletes all tokens, sessions, passkeys and second factors of a user whose address is verified for the first time. Before
 * that, another person with the invitation link could have set a password and created them.
 */
async function endClaim(tx: Tx, userId: string): Promise<void> {
  const claim = await tx
    .selectFrom('account')
    .select('userId')
    .where('userId', '=', userId)
    .where('emailVerifiedAt', 'is', null)
    .executeTakeFirst()
  if (!claim) return
  for (const table of ['token', 'session', 'passkey', 'recoveryCode', 'secondFactor'] as const)
    await tx.deleteFrom(table).where('userId', '=', userId).execute()
}

/**
 * Sets a password. Unused invitation links expire, because another person who has one could take over the account. So
 * do sign-ins with the earlier password that wait for a code.
 * @param verified true marks the address as verified; false keeps its state
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
  await tx.deleteFrom('signInStep').where('userId', '=', fields.userId).execute()
}

/** Creates the token of a user who signed in without a browser. It is kept as long as a session of a browser. */
export async function startSession(
  tx: Tx,
  { id, userId, now, times }: { id: string; userId: string; now: Date; times: SessionTimes },
) {
  const { row, token } = await insertToken(tx, {
    id,
    userId,
    label: 'Signed in',
    session: true,
    now,
    expiresAt: new Date(now.getTime() + times.ageMs).toISOString(),
  })
  return { ...toToken(row), token }
}

/** The domain of the verified address of a user. */
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

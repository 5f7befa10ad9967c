import { type Static, Type } from 'typebox'
import { matchingTotpStep, newTotpSeed, totpUri } from '../../access/credentials/totp.ts'
import { hashSecret } from '../../access/credentials/tokens.ts'
import { randomText } from '../../core/data/id.ts'
import type { Reader, Tx } from '../../db/schema.ts'
import { conflict, invalidField } from '../../http/errors.ts'
import type { Sealing } from '../../http/route.ts'
import { oneOf, omitNullish, Timestamp } from '../common.ts'
import { because } from '../../core/languages/reasons.ts'

const RECOVERY_CODES = 10
const CODE_LENGTH = 16

/** A code of a generator, or a recovery code. */
export const SecondFactorCode = Type.String({
  minLength: 6,
  maxLength: 32,
  description: 'The six digits of the authenticator app, or a recovery code',
})

/** Whether signing in with a password requires a code. */
export const SecondFactor = Type.Object(
  {
    object: oneOf(['second-factor']),
    enabled: Type.Boolean(),
    confirmedAt: Type.Optional(Timestamp),
    recoveryCodes: Type.Integer({ description: 'How many recovery codes are left' }),
  },
  { title: 'SecondFactor' },
)
export type SecondFactor = Static<typeof SecondFactor>

/** The secret for an authenticator app. */
export const NewSecondFactor = Type.Object(
  {
    object: oneOf(['new-second-factor']),
    secret: Type.String({ description: 'In base 32, to type into the app' }),
    uri: Type.String({ description: 'For a QR code, or to open on a phone' }),
  },
  { title: 'NewSecondFactor' },
)

/** Codes for one use each, for users without their authenticator app. */
export const RecoveryCodes = Type.Object(
  {
    object: oneOf(['recovery-codes']),
    codes: Type.Array(Type.String(), {
      description: 'They cannot be retrieved again, because only their hashes are stored',
    }),
  },
  { title: 'RecoveryCodes' },
)

export async function secondFactorOf(db: Reader, userId: string): Promise<SecondFactor> {
  const row = await factorRow(db, userId)
  const { count } = await db
    .selectFrom('recoveryCode')
    .select((all) => all.fn.countAll().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    object: 'second-factor',
    enabled: Boolean(row?.confirmedAt),
    ...omitNullish({ confirmedAt: row?.confirmedAt }),
    recoveryCodes: Number(count),
  }
}

/** Whether signing in with a password requires a code. */
export async function hasSecondFactor(db: Reader, userId: string): Promise<boolean> {
  return Boolean((await factorRow(db, userId))?.confirmedAt)
}

/** Creates the secret of a generator. It is not required until `confirmSecondFactor`. @throws 409 if there is one */
export async function beginSecondFactor(
  tx: Tx,
  sealing: Sealing,
  { userId, issuer, now }: { userId: string; issuer: string; now: Date },
): Promise<Static<typeof NewSecondFactor>> {
  const known = await factorRow(tx, userId)
  if (known?.confirmedAt) throw conflict(because('second-factor-exists'))
  const { email } = await tx
    .selectFrom('user')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()

  const seed = newTotpSeed()
  await tx.deleteFrom('secondFactor').where('userId', '=', userId).execute()
  await tx
    .insertInto('secondFactor')
    .values({
      userId,
      sealedSeed: sealing.seal(seed, secondFactorPurpose(userId)),
      confirmedAt: null,
      lastStep: 0,
      createdAt: now.toISOString(),
    })
    .execute()
  return {
    object: 'new-second-factor',
    secret: seed,
    uri: totpUri(seed, { issuer, account: email ?? userId }),
  }
}

/** Requires codes from now on. @returns new recovery codes @throws 400 if the code is wrong, 409 if nothing was begun */
export async function confirmSecondFactor(
  tx: Tx,
  sealing: Sealing,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<string[]> {
  const known = await factorRow(tx, userId)
  if (!known || known.confirmedAt)
    throw conflict(known ? because('second-factor-confirmed') : because('second-factor-missing'))
  if (!(await acceptStep(tx, sealing, { userId, code, now })))
    throw invalidField('body.code', because('authenticator-code-wrong'))
  await tx
    .updateTable('secondFactor')
    .set({ confirmedAt: now.toISOString() })
    .where('userId', '=', userId)
    .execute()
  // Otherwise, a person with an unused invitation could sign in without the code.
  await tx
    .deleteFrom('accountToken')
    .where('userId', '=', userId)
    .where('purpose', '=', 'invitation')
    .where('usedAt', 'is', null)
    .execute()
  return replaceRecoveryCodes(tx, userId)
}

/** Uses a code of the generator, or a recovery code. Each is accepted once. */
export async function takeSecondFactor(
  tx: Tx,
  sealing: Sealing,
  fields: { userId: string; code: string; now: Date },
): Promise<boolean> {
  return (await acceptStep(tx, sealing, fields)) || takeRecoveryCode(tx, fields.userId, fields.code)
}

/** The same. @throws 400 if the code is wrong */
export async function needSecondFactor(
  tx: Tx,
  sealing: Sealing,
  fields: { userId: string; code: string; now: Date },
): Promise<void> {
  if (!(await takeSecondFactor(tx, sealing, fields))) throw wrongCode()
}

/** @returns new recovery codes; the earlier ones expire */
export async function replaceRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomText(CODE_LENGTH))
  await tx.deleteFrom('recoveryCode').where('userId', '=', userId).execute()
  await tx
    .insertInto('recoveryCode')
    .values(codes.map((code) => ({ userId, hash: hashSecret(code) })))
    .execute()
  return codes.map((code) => code.match(/.{4}/g)!.join('-'))
}

/** @returns whether there was one */
export async function deleteSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  await tx.deleteFrom('recoveryCode').where('userId', '=', userId).execute()
  const { numDeletedRows } = await tx
    .deleteFrom('secondFactor')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const wrongCode = () => invalidField('body.code', because('factor-code-wrong'))

/** For what the secret of an authenticator app is sealed. */
export const secondFactorPurpose = (userId: string) => `second-factor ${userId}`

function factorRow(db: Reader, userId: string) {
  return db.selectFrom('secondFactor').selectAll().where('userId', '=', userId).executeTakeFirst()
}

async function acceptStep(
  tx: Tx,
  sealing: Sealing,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const row = await factorRow(tx, userId)
  const seed = row && sealing.open(row.sealedSeed, secondFactorPurpose(userId))
  const step = seed && matchingTotpStep(seed, code, { now, lastStep: row.lastStep })
  if (!step) return false
  // Another request may have used the same code since the row was read.
  const { numUpdatedRows } = await tx
    .updateTable('secondFactor')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function takeRecoveryCode(tx: Tx, userId: string, code: string): Promise<boolean> {
  const plain = code.toLowerCase().replaceAll(/[^0-9a-z]/g, '')
  const { numDeletedRows } = await tx
    .deleteFrom('recoveryCode')
    .where('userId', '=', userId)
    .where('hash', '=', hashSecret(plain))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

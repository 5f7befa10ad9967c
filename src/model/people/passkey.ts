import { type Static, Type } from 'typebox'
import {
  type Assertion,
  challengeIn,
  creationOptions,
  type CreationOptions,
  type NewCredential,
  requestOptions,
  type RequestOptions,
  verifyAssertion,
  verifyCreation,
  type VerifiedCredential,
} from '../../access/credentials/webauthn.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { conflict, invalidField } from '../../http/errors.ts'
import type { Urls } from '../../http/urls.ts'
import { oneOf, omitNullish, Timestamp } from '../common.ts'
import { beginStep, takeStep } from './sign-in-step.ts'
import { because } from '../../core/languages/reasons.ts'

/** The passkeys that a user can have. */
const PASSKEYS_MAX = 50

/** A passkey of the caller. */
export const Passkey = Type.Object(
  {
    object: oneOf(['passkey']),
    id: Type.String(),
    label: Type.String(),
    backedUp: Type.Boolean({ description: 'Whether a service stores it besides the device' }),
    createdAt: Timestamp,
    lastUsedAt: Type.Optional(Timestamp),
  },
  { title: 'Passkey' },
)
export type Passkey = Static<typeof Passkey>

export function toPasskey(row: Row<'passkey'>): Passkey {
  return {
    object: 'passkey',
    id: row.id,
    label: row.label,
    backedUp: row.backedUp === 1,
    createdAt: row.createdAt,
    ...omitNullish({ lastUsedAt: row.lastUsedAt }),
  }
}

const BASE64URL = { pattern: '^[A-Za-z0-9_-]+$', 'x-pattern': 'be base64url', minLength: 1 }
const Bytes = Type.String({ ...BASE64URL, maxLength: 32_768 })
const CredentialId = Type.String({ ...BASE64URL, maxLength: 1400 })

const credentialWith = <R extends Record<string, ReturnType<typeof Type.Optional> | typeof Bytes>>(
  response: R,
) =>
  Type.Object(
    {
      id: CredentialId,
      rawId: CredentialId,
      type: oneOf(['public-key']),
      response: Type.Object({ clientDataJSON: Bytes, ...response }),
      clientExtensionResults: Type.Optional(Type.Object({})),
    },
    { description: 'The result of `toJSON()` of the `PublicKeyCredential` (WebAuthn Level 3)' },
  )

/** A new passkey, as the browser makes it. */
export const NewPublicKey = Type.Unsafe<NewCredential>(
  credentialWith({
    attestationObject: Bytes,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
  }),
)

/** The answer of a passkey to a challenge. */
export const PublicKeyAssertion = Type.Unsafe<Assertion>(
  credentialWith({ authenticatorData: Bytes, signature: Bytes, userHandle: Type.Optional(Bytes) }),
)

/** Asks the browser of a user to make a passkey. The challenge in the result is good for one passkey. */
export async function optionsForNewPasskey(db: Reader, urls: Urls, userId: string): Promise<CreationOptions> {
  const user = await db
    .selectFrom('user')
    .select(['id', 'email', 'displayName'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const known = await db
    .selectFrom('passkey')
    .select(['credentialId', 'transports'])
    .where('userId', '=', userId)
    .execute()
  return creationOptions(urls, { ...user, name: user.email ?? user.displayName }, known)
}

/** Stores the challenge of `optionsForNewPasskey` or `optionsForSignIn`. */
export async function storeChallenge(
  tx: Tx,
  { challenge }: { challenge: string },
  { userId, now }: { userId: string | null; now: Date },
): Promise<void> {
  const purpose = userId === null ? 'passkey-sign-in' : 'passkey-registration'
  await beginStep(tx, { secret: challenge, purpose, userId, now })
}

const wrongPasskey = () => invalidField('body.credential', because('passkey-challenge-unknown'))

/** Checks a new passkey before the transaction that stores it. @throws 400 */
export async function checkNewPasskey(urls: Urls, credential: NewCredential) {
  const challenge = challengeIn(credential)
  const verified = challenge && (await verifyCreation(urls, credential, challenge))
  if (!challenge || !verified) throw wrongPasskey()
  return { challenge, verified }
}

/** Stores a passkey whose challenge was asked of this user. @throws 400, 409 */
export async function insertPasskey(
  tx: Tx,
  fields: {
    id: string
    userId: string
    label: string
    challenge: string
    verified: VerifiedCredential
    now: Date
  },
): Promise<Row<'passkey'>> {
  const { id, userId, label, challenge, verified, now } = fields
  const step = await takeStep(tx, { secret: challenge, purpose: 'passkey-registration', now })
  if (step?.userId !== userId) throw wrongPasskey()

  const own = await tx.selectFrom('passkey').select('credentialId').where('userId', '=', userId).execute()
  if (own.length >= PASSKEYS_MAX) throw conflict(because('too-many-passkeys', { limit: PASSKEYS_MAX }))
  const known = await tx
    .selectFrom('passkey')
    .select('id')
    .where('credentialId', '=', verified.credentialId)
    .executeTakeFirst()
  if (known) throw conflict(because('passkey-known'))

  const row: Row<'passkey'> = {
    ...verified,
    id,
    userId,
    label,
    createdAt: now.toISOString(),
    lastUsedAt: null,
  }
  await tx.insertInto('passkey').values(row).execute()
  return row
}

/** @returns whether there was one */
export async function deletePasskeyOf(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Asks a browser for a passkey to sign in with. */
export function optionsForSignIn(urls: Urls): Promise<RequestOptions> {
  return requestOptions(urls)
}

/** A passkey that has answered a challenge. The challenge is still to be taken. */
export interface AnsweredPasskey {
  passkey: Row<'passkey'>
  challenge: string
  counter: number
}

/** Checks the answer of a passkey, before the transaction that signs its user in. */
export async function checkAssertion(
  db: Reader,
  urls: Urls,
  assertion: Assertion,
): Promise<AnsweredPasskey | undefined> {
  const challenge = challengeIn(assertion)
  const passkey = await db
    .selectFrom('passkey')
    .selectAll()
    .where('credentialId', '=', assertion.id)
    .executeTakeFirst()
  if (!passkey || challenge === undefined) return undefined
  const { userHandle } = assertion.response
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId) return undefined
  const counter = await verifyAssertion(urls, assertion, { challenge, passkey })
  return counter === undefined ? undefined : { passkey, challenge, counter }
}

/** Takes the challenge that a passkey has answered. @returns false if this server did not ask it, or it was answered before */
export async function takeAssertion(
  tx: Tx,
  { passkey, challenge, counter }: AnsweredPasskey,
  now: Date,
): Promise<boolean> {
  const step = await takeStep(tx, { secret: challenge, purpose: 'passkey-sign-in', now })
  if (!step) return false
  // A passkey that was deleted meanwhile, or a copy of it that has answered with a later count.
  const { numUpdatedRows } = await tx
    .updateTable('passkey')
    .set({ counter, lastUsedAt: now.toISOString() })
    .where('id', '=', passkey.id)
    .where('counter', '<=', counter)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

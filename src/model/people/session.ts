import { type Static, Type } from 'typebox'
import { sessionExpiry } from '../../access/credentials/sessions.ts'
import { type Reaching, withinReach } from '../../access/roles/reached.ts'
import { hashSecret } from '../../access/credentials/tokens.ts'
import { randomText } from '../../core/data/id.ts'
import type { Row, Tx } from '../../db/schema.ts'
import type { SignInMethod } from '../../db/sign-in-tables.ts'
import type { Caller, SessionTimes } from '../../http/route.ts'
import { oneOf, omitNullish, Timestamp } from '../common.ts'

const SECRET_LENGTH = 43
const LONGEST_USER_AGENT = 512
/** Opening one more ends the oldest session of the user. */
export const SESSIONS_MAX = 100

const METHODS = ['password', 'passkey', 'saml', 'oidc', 'recovery'] as const

/** A browser in which a user is signed in. */
export const Session = Type.Object(
  {
    object: oneOf(['session']),
    id: Type.String(),
    method: oneOf(METHODS, { description: 'How the user signed in' }),
    current: Type.Boolean({ description: 'The session of the request itself' }),
    ip: Type.String({ description: 'The address from which the user signed in' }),
    userAgent: Type.Optional(Type.String({ description: 'The `User-Agent` header of the browser' })),
    organization: Type.Optional(
      Type.String({ description: 'The organization whose provider signed the user in' }),
    ),
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Type.Unsafe<string>({
      ...Timestamp,
      description: 'When the session expires, unless it is used before',
    }),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>

/** @param me marks the session of the caller */
export function toSession(row: Row<'session'>, me: Caller, times: SessionTimes): Session {
  return {
    object: 'session',
    id: row.id,
    method: row.method,
    current: row.id === me.session?.id,
    ip: row.ip,
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    expiresAt: sessionExpiry(row, times),
    ...omitNullish({ userAgent: row.userAgent || null, organization: row.organizationId }),
  }
}

/** How a SAML provider named a person when it signed them in. Signing them out there takes the same name. */
export interface SamlName {
  nameID: string
  format?: string
  nameQualifier?: string
  spNameQualifier?: string
  /** The session of the provider. */
  sessionIndex?: string
}

/** A person who has just proved who they are, and the browser with which they did. */
export interface NewSession {
  id: string
  userId: string
  method: SignInMethod
  /** The identity provider that signed the person in, and the organization of it. */
  providerId?: string
  organizationId?: string
  samlName?: SamlName | undefined
  ip: string
  userAgent: string | undefined
  /** The cookie of the session that the browser had, which ends. */
  replaces?: string | undefined
  times: SessionTimes
  now: Date
}

/**
 * Opens a session of a browser, and ends the one that it had. Each sign-in opens a new one with a new secret, so nobody
 * can prepare a session for someone else to sign in to (session fixation).
 * @returns the value of the cookie, which is not stored
 */
export async function openSession(tx: Tx, fields: NewSession): Promise<string> {
  const { id, userId, method, providerId = null, organizationId = null, ip, userAgent = '', now } = fields
  const { samlName } = fields
  const secret = randomText(SECRET_LENGTH)
  if (fields.replaces !== undefined)
    await tx.deleteFrom('session').where('hash', '=', hashSecret(fields.replaces)).execute()
  await deleteExpired(tx, userId, now)
  await tx
    .insertInto('session')
    .values({
      id,
      userId,
      hash: hashSecret(secret),
      method,
      providerId,
      organizationId,
      samlNameId: samlName?.nameID ?? null,
      samlName: samlName ? JSON.stringify(samlName) : null,
      ip,
      userAgent: userAgent.slice(0, LONGEST_USER_AGENT),
      createdAt: now.toISOString(),
      lastUsedAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + fields.times.ageMs).toISOString(),
    })
    .execute()
  return secret
}

/** Deletes what expired, of all users, and the oldest sessions of one user who has too many. */
async function deleteExpired(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.deleteFrom('session').where('expiresAt', '<=', now.toISOString()).execute()
  const oldest = tx
    .selectFrom('session')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .offset(SESSIONS_MAX - 1)
    .limit(SESSIONS_MAX)
  await tx.deleteFrom('session').where('userId', '=', userId).where('id', 'in', oldest).execute()
}

/** The sessions of the caller that have not expired; in one that is limited to an organization, only those of it. */
export function sessionsOf<DB extends Pick<Tx, 'selectFrom'>>(
  db: DB,
  me: Reaching,
  now: Date,
  { ageMs, idleMs }: SessionTimes,
) {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  return db
    .selectFrom('session')
    .selectAll()
    .where('userId', '=', me.userId)
    .where(withinReach(me, 'organizationId'))
    .where('expiresAt', '>', now.toISOString())
    .where('createdAt', '>', before(ageMs))
    .where('lastUsedAt', '>', before(idleMs))
}

/** Ends one session of the caller. @returns whether there was one */
export async function endSession(tx: Tx, me: Reaching, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('session')
    .where('id', '=', id)
    .where('userId', '=', me.userId)
    .where(withinReach(me, 'organizationId'))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends the sessions of a user and the tokens of sign-ins with a password, but no API token. @param but a caller to keep */
export async function endSessions(tx: Tx, userId: string, but?: Caller): Promise<void> {
  await tx
    .deleteFrom('token')
    .where('userId', '=', userId)
    .where('session', '=', 1)
    .where('id', '!=', but?.tokenId ?? '')
    .execute()
  await tx
    .deleteFrom('session')
    .where('userId', '=', userId)
    .where('id', '!=', but?.session?.id ?? '')
    .execute()
}

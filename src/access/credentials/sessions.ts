import { prepare } from '../../db/prepare.ts'
import type { Reader } from '../../db/schema.ts'
import type { Caller, SessionTimes } from '../../http/route.ts'
import { hashSecret } from './tokens.ts'

/** The prefix makes browsers refuse the cookie from other hosts, from subdomains and over plain HTTP (RFC 6265bis, 4.1.3.2). */
export const SESSION_COOKIE = '__Host-lectern-session'

/** The attributes of every cookie of the server's own pages. Scripts cannot read it. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** A `Set-Cookie` header with the value that `openSession` returned. */
export function sessionCookie(value: string, { ageMs }: SessionTimes): string {
  return ownCookie(SESSION_COOKIE, value, ageMs)
}

/** A `Set-Cookie` header that removes the session from the browser. */
export function noSessionCookie(): string {
  return ownCookie(SESSION_COOKIE, '', 0)
}

/** A `Set-Cookie` header of the server's own pages. @param name with the prefix `__Host-` @param ms 0 removes the cookie */
export function ownCookie(name: `__Host-${string}`, value: string, ms: number): string {
  return `${name}=${value}; ${ATTRIBUTES}; Max-Age=${Math.floor(ms / 1000)}`
}

const sessionByHash = prepare((db, argument) =>
  db
    .selectFrom('session')
    .select([
      'id',
      'userId',
      'method',
      'providerId',
      'organizationId',
      'createdAt',
      'lastUsedAt',
      'expiresAt',
    ])
    .where('hash', '=', argument(0)),
)

/** The longest value of the cookie, in characters. */
const LONGEST = 64

/** The caller whose session a cookie names; undefined if it is unknown, ended or expired. */
export async function callerOfSession(
  db: Reader,
  value: string,
  { now, times }: { now: Date; times: SessionTimes },
): Promise<Caller | undefined> {
  if (value === '' || value.length > LONGEST) return undefined
  const [found] = await sessionByHash(db, hashSecret(value))
  if (!found || sessionExpiry(found, times) <= now.toISOString()) return undefined
  const { userId, lastUsedAt: _, ...session } = found
  const { organizationId, method } = session
  return {
    userId,
    tokenId: '',
    readOnly: false,
    session,
    ...(organizationId !== null && { organizationId }),
    ...((method === 'password' || method === 'passkey') && { ownSignIn: true }),
  }
}

/** When a session expires unless it is used again. A shorter time of the configuration counts for open sessions too. */
export function sessionExpiry(
  { createdAt, lastUsedAt, expiresAt }: { createdAt: string; lastUsedAt: string; expiresAt: string },
  { ageMs, idleMs }: SessionTimes,
): string {
  const byUse = Math.min(Date.parse(createdAt) + ageMs, Date.parse(lastUsedAt) + idleMs)
  return new Date(Math.min(byUse, Date.parse(expiresAt))).toISOString()
}

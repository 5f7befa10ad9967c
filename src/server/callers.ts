import type { FastifyReply, FastifyRequest } from 'fastify'
import type { lastUses } from '../access/credentials/last-uses.ts'
import { callerOfSession, SESSION_COOKIE } from '../access/credentials/sessions.ts'
import { callerOf } from '../access/credentials/tokens.ts'
import { cookieOf } from '../http/request/cookies.ts'
import { forbidden, tooMany, unauthorized } from '../http/errors.ts'
import { clientOf, type Counted } from '../http/limits/networks.ts'
import type { Allowance } from '../http/limits/rate.ts'
import type { Caller, Services } from '../http/route.ts'
import { isOwnRequest } from '../http/request/same-origin.ts'
import { because } from '../core/languages/reasons.ts'

const NOBODY: Caller = { userId: '', tokenId: '', readOnly: true }

/** The parts that identify callers and count their requests. */
export interface Metering {
  services: Services
  tokens: ReturnType<typeof lastUses>
  scimTokens: ReturnType<typeof lastUses>
  sessions: ReturnType<typeof lastUses>
  take: (counted: Counted, now: Date) => Allowance
}

/**
 * Identifies the caller and counts the request before its body is read: by user, or by IP address without a valid token or
 * session.
 * @param open whether the route requires no token; a route that `knows members` takes one that is valid
 * @throws 401, 403 for a session's cookie that another site may have made the browser send, 429
 */
export async function identifyCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  open: boolean | 'knows members',
  { services, tokens, scimTokens, sessions, take }: Metering,
): Promise<Caller> {
  const now = services.now()
  const found = open === true ? NOBODY : await callerBy(request, services, now).catch(later)
  const known = found instanceof Error ? undefined : found
  if (open && (!known || known.reader || known.isProvisioner)) {
    count(clientOf(request.ip), reply, now, take)
    return NOBODY
  }
  count(countedCaller(known, request), reply, now, take)
  if (!known) throw found
  if (known.tokenId) (known.isProvisioner ? scimTokens : tokens).note(known.tokenId, now)
  if (known.session) sessions.note(known.session.id, now)
  return known
}

/**
 * Returns what requests are counted by: the user, whichever of their tokens and sessions they use; the organization of a
 * SCIM token; or else the client.
 */
export function countedCaller(caller: Caller | undefined, { ip }: FastifyRequest): Counted {
  return caller?.userId || (caller?.isProvisioner && caller.organizationId) || clientOf(ip)
}

/** The caller by token, or else by the cookie of a session. @throws 401, 403 */
export async function callerBy(request: FastifyRequest, services: Services, now: Date): Promise<Caller> {
  const { method, headers } = request
  const cookie = headers.authorization === undefined ? cookieOf(request, SESSION_COOKIE) : undefined
  if (cookie === undefined)
    return callerOf({ db: services.db.read, sealing: services.sealing }, headers.authorization, now)

  const known = await callerOfSession(services.db.read, cookie, { now, times: services.sessionTimes })
  if (!known) throw unauthorized()
  if (!isOwnRequest(method, headers, () => new URL(services.urls.api('')).origin)) throw fromElsewhere()
  return known
}

const fromElsewhere = () => forbidden(because('cookie-from-elsewhere'))

/** Counts a request and sets the `X-RateLimit-*` headers. @throws 429 */
export function count(counted: Counted, reply: FastifyReply, now: Date, take: Metering['take']): void {
  const allowance = take(counted, now)
  reply.header('x-ratelimit-limit', allowance.limit)
  reply.header('x-ratelimit-remaining', allowance.remaining)
  reply.header('x-ratelimit-reset', allowance.reset)
  if (!allowance.over) return
  reply.header('retry-after', Math.max(1, allowance.reset - Math.floor(now.getTime() / 1000)))
  throw tooMany(because('too-many-requests-in-minute', { limit: allowance.limit }))
}

/** Returns an error as a value, so that the request is counted before the error is thrown. */
const later = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

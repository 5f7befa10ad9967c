import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, type tokenUse } from './access/tokens.ts'
import { tooMany } from './http/errors.ts'
import { clientOf } from './http/networks.ts'
import type { Allowance } from './http/rate.ts'
import type { Caller, Services } from './http/route.ts'

const NOBODY: Caller = { userId: '', tokenId: '', readOnly: true }

/** The parts that identify callers and count their requests. */
export interface Metering {
  services: Services
  tokens: ReturnType<typeof tokenUse>
  take: (key: string, now: Date) => Allowance
}

/**
 * Identifies the caller and counts the request before its body is read: by token, or by IP address without a valid one.
 * @param open whether the route requires no token
 * @throws 401, 429
 */
export async function identifyCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  open: boolean,
  { services, tokens, take }: Metering,
): Promise<Caller> {
  const now = services.now()
  const found = open
    ? NOBODY
    : await callerOf(services.db.read, request.headers.authorization, now).catch(later)
  const known = found instanceof Error ? undefined : found
  count(known?.tokenId || clientOf(request.ip), reply, now, take)
  if (!known) throw found
  if (known.tokenId) tokens.note(known.tokenId, now)
  return known
}

/** Counts a request and sets the `X-RateLimit-*` headers. @throws 429 */
export function count(key: string, reply: FastifyReply, now: Date, take: Metering['take']): void {
  const allowance = take(key, now)
  reply.header('x-ratelimit-limit', allowance.limit)
  reply.header('x-ratelimit-remaining', allowance.remaining)
  reply.header('x-ratelimit-reset', allowance.reset)
  if (!allowance.over) return
  reply.header('retry-after', Math.max(1, allowance.reset - Math.floor(now.getTime() / 1000)))
  throw tooMany(`More than ${allowance.limit} requests in a minute; retry when the minute is over`)
}

/** Returns an error as a value, so that the request is counted before the error is thrown. */
const later = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

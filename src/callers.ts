import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, type tokenUse } from './access/tokens.ts'
import { tooMany } from './http/errors.ts'
import type { Allowance } from './http/rate.ts'
import type { Caller, Services } from './http/route.ts'

const NOBODY: Caller = { userId: '', tokenId: '', readOnly: true }

/** What is needed to know and to count those who call. */
export interface Metering {
  services: Services
  tokens: ReturnType<typeof tokenUse>
  take: (key: string, now: Date) => Allowance
}

/**
 * Who is calling, counted before anything of the body is read: by token, or by address without a valid one.
 * @param open whether no token is needed
 * @throws 401, 429
 */
export async function identify(
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
  count(known?.tokenId || request.ip, reply, now, take)
  if (!known) throw found
  if (known.tokenId) tokens.note(known.tokenId, now)
  return known
}

/** Counts a request, and tells what is left. @throws 429 */
export function count(key: string, reply: FastifyReply, now: Date, take: Metering['take']): void {
  const allowance = take(key, now)
  reply.header('x-ratelimit-limit', allowance.limit)
  reply.header('x-ratelimit-remaining', allowance.remaining)
  reply.header('x-ratelimit-reset', allowance.reset)
  if (!allowance.over) return
  reply.header('retry-after', Math.max(1, allowance.reset - Math.floor(now.getTime() / 1000)))
  throw tooMany(`More than ${allowance.limit} requests in a minute; wait until the minute is over`)
}

/** Keeps an error as a value, so that a refused caller is counted before being told. */
const later = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { logOutage, outageOf } from './outage.ts'
import { because } from '../../core/languages/reasons.ts'
import { type Reasoned } from '../../core/languages/reasoned.ts'

/** An error as a page shows it to a person. */
export interface PageFault {
  status: number
  why: Reasoned
  /** Seconds after which a retry may succeed. */
  retryAfter: number | undefined
}

/** Describes an error for a page. Faults of the server are written to the log. */
export function pageFault(error: unknown, request: Pick<FastifyRequest, 'id' | 'log'>): PageFault {
  const outage = outageOf(error)
  const known = error instanceof ApiError ? error : outage
  const { statusCode } = error as { statusCode?: number }
  const status = known?.status ?? (statusCode !== undefined && statusCode < 500 ? statusCode : 500)
  if (outage) logOutage(request, outage, error)
  else if (status === 500) request.log.error({ id: request.id, err: error }, 'unexpected error')
  const why =
    known ?? (status === 500 ? because('page-error', { id: request.id }) : because('request-not-taken'))
  return { status, why, retryAfter: known?.retryAfter }
}

/**
 * Whether the address or the form of a request has the character NUL, which PostgreSQL does not store and no browser
 * sends.
 */
export function hasNul(url: string, form?: Iterable<[string, string]>): boolean {
  if (url.includes('%00')) return true
  for (const [, value] of form ?? []) if (value.includes('\0')) return true
  return false
}

import { setTimeout as wait } from 'node:timers/promises'
import { because } from '../../core/languages/reasons.ts'
import { ApiError, unavailable } from '../errors.ts'
import type { Outgoing } from './connect.ts'
import type { FetchBounds, Fetched } from './guarded-fetch.ts'

const RETRIES = 2
const PAUSE_MS = 200
/** A server that asks for a longer pause gets no retry. */
const LONGEST_PAUSE_S = 2
/** How soon a client may repeat a request, if the other server does not name a time. */
const RETRY_S = 30
const LONGEST_RETRY_S = 3600
/** Statuses after which the same request may succeed a moment later. */
const PASSING = new Set([429, 500, 502, 503, 504])

/**
 * Sends a GET request, and again if the connection breaks or the server returns 429 or 5xx. All attempts together have
 * the time of one.
 * @param read reads the response; what breaks off in it is retried too
 * @throws as the guarded fetch; 503 with `Retry-After` if the server kept failing
 */
export async function fetchRetried<T>(
  fetch: (url: string, bounds: FetchBounds, outgoing?: Outgoing) => Promise<Fetched>,
  url: string,
  limits: FetchBounds,
  headers: Record<string, string>,
  read: (fetched: Fetched) => Promise<T>,
): Promise<T> {
  const end = performance.now() + limits.timeoutMs
  for (let failures = 0; ; failures++) {
    try {
      const timeoutMs = Math.ceil(Math.max(1, end - performance.now()))
      const fetched = await fetch(url, { ...limits, timeoutMs }, { headers })
      if (!PASSING.has(fetched.status)) return await read(fetched)
      fetched.body.on('error', () => undefined).destroy()
      throw failing(fetched)
    } catch (error) {
      const pause = PAUSE_MS * 2 ** failures * (0.5 + Math.random())
      const isOver = failures >= RETRIES || performance.now() + pause >= end
      if (isOver || !isPassing(error)) throw withRetry(error)
      await wait(Math.max(pause, (error.retryAfter ?? 0) * 1000))
    }
  }
}

function failing({ url, status, headers }: Fetched): ApiError {
  const shown = new URL(url)
  return unavailable(
    because('source-failing', { url: shown.origin + shown.pathname, status }),
    retryAfterOf(headers),
  )
}

/** The seconds after which another server asks for the request again; undefined if it names no such time. */
export function retryAfterOf(headers: Fetched['headers']): number | undefined {
  const asked = Number(headers['retry-after'])
  return asked > 0 ? Math.min(Math.ceil(asked), LONGEST_RETRY_S) : undefined
}

function isPassing(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.status !== 503) return false
  return (error.retryAfter ?? 0) <= LONGEST_PAUSE_S
}

/** Returns a refusal with 503 with the time after which a client may repeat its request, and other errors as they are. */
export function withRetry(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 503 || error.retryAfter !== undefined) return error
  const later = unavailable(error, RETRY_S)
  later.cause = error.cause
  return later
}

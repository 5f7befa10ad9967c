/** What a client sees when a dependency of the server fails. */
import type { Answer } from '../world.ts'
import { type Fault, type FaultyServer, RETRY_AFTER } from './faulty-server.ts'

/** What a server needs of another one, and what becomes visible when that fails. */
export interface Dependency {
  name: string
  server: FaultyServer
  /** The requests that the faults meet: `GET /path`. */
  only?: RegExp
  /** Uses the dependency. @returns what is visible, in words */
  use(): Promise<string>
  /** What `use` returns when the dependency works. */
  works: string
  /** What it returns for each fault. */
  sees: Record<Fault, string>
  /** The faults that pass without being seen if only one request meets them. */
  healed: readonly Fault[]
  /** Checks that a use that failed has left nothing behind. */
  clean?(): Promise<void>
}

/** A response in words: `503 file-store-slow, retry in 10`. */
export function inWords({ status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>): string {
  const reason = body?.error?.reason as string | undefined
  const retry = headers.get('retry-after')
  return `${status}${reason === undefined ? '' : ` ${reason}`}${retry === null ? '' : `, retry in ${retry}`}`
}

/** The outcome of each fault, of which most are the same. */
export function outcomes(usual: string, others: Partial<Record<Fault, string>>): Record<Fault, string> {
  const all: Record<Fault, string> = {
    refuse: usual,
    'reset at once': usual,
    'reset in the body': usual,
    hang: usual,
    'slow drip': usual,
    '500': usual,
    '503 with Retry-After': usual,
    '429 with Retry-After': usual,
    truncated: usual,
    'another protocol': usual,
    'a page of a proxy': usual,
  }
  return { ...all, ...others }
}

/** The time that a dependency has for each step while it hangs. Otherwise it has as much as on a real server. */
export const SHORT_MS = 300
/** Whether a fault only takes time. */
export const isDelay = (fault: Fault): boolean => fault === 'hang' || fault === 'slow drip'

/** The words for `Retry-After` as the faulty server sends it. */
export const retryAsSent = `retry in ${RETRY_AFTER}`

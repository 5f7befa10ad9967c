import type { Instant, JsonText } from './columns.ts'

/** The tables by which the copies of the server on one database know of each other's work, and of what they have done. */
export interface CopiesTables {
  /** How much of a limit is used in one window of time. */
  sharedCount: {
    /** An HMAC of the limit, the window and the caller, so that no address is stored. */
    key: string
    used: number
    /** When the window ends. */
    endsAt: Instant
  }
  /** An import that a copy has run for about a second or longer. */
  runningImport: {
    id: string
    spaceId: string
    stage: 'waiting' | 'fetching' | 'reading' | 'writing'
    done: number | null
    total: number | null
    startedAt: Instant
    /** A copy that ended without removing the row no longer renews the lease. */
    leasedUntil: Instant
  }
  /** A copy of the server that runs. It renews the row every half minute. */
  runningCopy: {
    id: string
    /** The name of its machine. */
    host: string
    version: string
    nodeVersion: string
    startedAt: Instant
    seenAt: Instant
    /** Its slow requests of the last hour, as `SlowRequest[]`. */
    slowRequests: JsonText
  }
  /** A change that a user has asked for with an `Idempotency-Key`. Deleted after a day. */
  answeredRequest: {
    userId: string
    /** The SHA-256 of the key, as 43 characters of base64url. */
    keyHash: string
    /** The request and its answer; null only until the transaction ends that makes the change. */
    sealedAnswer: string | null
    createdAt: Instant
  }
  /** How many attempts to sign in failed in an hour from a network. Deleted after a day. */
  failedSignIn: { hour: Instant; network: string; count: number }
}

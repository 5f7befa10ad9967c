import type { Instant } from './columns.ts'

/** The tables by which the copies of the server on one database know of each other's work. */
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
}

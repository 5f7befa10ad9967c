import type { Instant, JsonText } from './columns.ts'

/** The queue of jobs. */
export interface JobTables {
  job: {
    id: string
    kind: string
    payload: JsonText
    /** In whose turn the job runs: a user's, or if no user asked, that of an organization; empty for the installation. */
    askedBy: string
    /** The organization that the job is for; empty for the installation. */
    organizationId: string
    /** At most one waiting job has a given key. */
    dedupe: string | null
    state: 'waiting' | 'done' | 'failed'
    /** How often it was tried without success. */
    attempts: number
    /** How often in a row its lease ran out, because the process that ran it ended. */
    lostLeases: number
    /** When it runs; of a job that failed for good, when it failed. */
    runAt: Instant
    /** The end of the lease of the process that runs the job; it also identifies that process. */
    leasedUntil: Instant | null
    /** The last error in plain words, without secrets. */
    error: string | null
    /** The reason of the last error with its parameters; null if it has no reason. */
    fault: JsonText | null
    /** The span that caused the job (`traceparent` of W3C Trace Context). */
    traceParent: string | null
    /** When it was first tried and last tried without success; null before, and after a run that made progress. */
    firstTriedAt: Instant | null
    lastTriedAt: Instant | null
    createdAt: Instant
  }
}

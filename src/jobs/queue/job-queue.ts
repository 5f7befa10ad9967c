import { readTraceParent } from '../../core/runtime/traceparent.ts'
import type { Database, Row } from '../../db/schema.ts'

/** Where the loop reports failures. A job that failed for good stays in the table with its error. */
export interface QueueLog {
  warn(fact: object, message: string): void
  error(fact: object, message: string): void
}

/** A queue as a process works on it. */
export interface JobQueue {
  db: Database
  clock: () => Date
  log: QueueLog
}

/** The trace of the request that caused a job, for the log. */
export const causingTrace = ({ traceParent }: Pick<Row<'job'>, 'traceParent'>): string | undefined =>
  readTraceParent(traceParent ?? undefined)?.traceId

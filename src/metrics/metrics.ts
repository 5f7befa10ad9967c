import type { Counter, Histogram, Registry } from 'prom-client'
import { promClient } from '../core/runtime/libraries.ts'
import { VERSION } from '../core/runtime/version.ts'
import type { DatabaseObserver } from '../db/observer.ts'

/** In seconds, from a page of the cache to an import that takes minutes. */
const REQUEST_BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 60]
const STATEMENT_BUCKETS = [0.0005, 0.005, 0.05, 0.25, 1, 5]
const WAIT_BUCKETS = [0.001, 0.01, 0.1, 1, 5]
const JOB_BUCKETS = [0.1, 1, 10, 60, 600]
const CALL_BUCKETS = [0.01, 0.1, 1, 5, 30]

/** How a run of a job ended. `later` means that it goes on after other jobs of its kind. */
export type JobEnd = 'done' | 'later' | 'failed'

/**
 * The metrics of a process, in the format of Prometheus. Every label has a bounded number of values: none is a path, a
 * host name, an id or an address.
 */
export interface Metrics {
  registry: Registry
  database: DatabaseObserver
  /**
   * A response has ended.
   * @param seconds undefined for a stream of events, which lasts as long as its client stays
   */
  request(operation: string, status: number, seconds: number | undefined): void
  job(kind: string, end: JobEnd, seconds: number): void
  email(outcome: 'sent' | 'failed'): void
  blob(operation: string, outcome: string, seconds: number): void
  blobBytes(direction: 'stored' | 'read', bytes: number): void
  /** A request to another server: a status class such as `2xx`, or `failed`. */
  outgoing(outcome: string, seconds: number): void
  slowStatement(): void
}

/** Creates the metrics of this process, with those of Node itself. */
export function openMetrics(): Metrics {
  const { Registry, collectDefaultMetrics, Gauge } = promClient()
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'lectern_build_info',
    help: 'Always 1; the label names the version of Lectern.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: VERSION }, 1)

  return {
    registry,
    database: databaseMetrics(registry),
    request: requestMetrics(registry),
    ...workMetrics(registry),
    ...blobMetrics(registry),
  }
}

/** Makes instruments in a registry. */
function instruments(registry: Registry) {
  const client = promClient()
  return {
    counter: <L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> =>
      new client.Counter({ name, help, labelNames, registers: [registry] }),
    histogram: <L extends string>(
      name: string,
      help: string,
      buckets: number[],
      labelNames: L[] = [],
    ): Histogram<L> => new client.Histogram({ name, help, buckets, labelNames, registers: [registry] }),
  }
}

function requestMetrics(registry: Registry): Metrics['request'] {
  const { counter, histogram } = instruments(registry)
  const requests = counter('lectern_http_requests_total', 'Responses that have ended.', [
    'operation',
    'status',
  ])
  const durations = histogram(
    'lectern_http_request_duration_seconds',
    'The time from the arrival of a request to the end of its response, without streams of events.',
    REQUEST_BUCKETS,
    ['operation'],
  )
  return (operation, status, seconds) => {
    requests.inc({ operation, status: statusClass(status) })
    if (seconds !== undefined) durations.observe({ operation }, seconds)
  }
}

/** The first digit of a status, as in `2xx`. */
export const statusClass = (status: number): string => `${Math.floor(status / 100)}xx`

function databaseMetrics(registry: Registry): DatabaseObserver {
  const { counter, histogram } = instruments(registry)
  const durations = histogram(
    'lectern_database_statement_duration_seconds',
    'How long statements ran.',
    STATEMENT_BUCKETS,
    ['kind'],
  )
  const waits = histogram(
    'lectern_database_wait_seconds',
    'How long transactions waited for the write lock of SQLite, or work for a connection to PostgreSQL.',
    WAIT_BUCKETS,
    ['reason'],
  )
  const repeated = counter(
    'lectern_database_transactions_repeated_total',
    'Transactions that were repeated because they collided with others.',
  )
  // The labels are made once: a request runs many statements.
  const ofKind = {
    read: durations.labels({ kind: 'read' }),
    write: durations.labels({ kind: 'write' }),
    transaction: durations.labels({ kind: 'transaction' }),
  }
  return {
    statement: (_sql, kind, ms) => ofKind[kind].observe(ms / 1000),
    waited: (reason, ms) => waits.observe({ reason }, ms / 1000),
    repeated: () => repeated.inc(),
  }
}

function workMetrics(registry: Registry): Pick<Metrics, 'job' | 'email' | 'outgoing' | 'slowStatement'> {
  const { counter, histogram } = instruments(registry)
  const runs = counter('lectern_job_runs_total', 'Runs of jobs in this process.', ['kind', 'outcome'])
  const runTimes = histogram('lectern_job_duration_seconds', 'How long runs of jobs took.', JOB_BUCKETS, [
    'kind',
  ])
  const emails = counter('lectern_emails_total', 'E-mails that the mail server accepted, or did not.', [
    'outcome',
  ])
  const calls = counter('lectern_outgoing_requests_total', 'Requests to other servers.', ['outcome'])
  const callTimes = histogram(
    'lectern_outgoing_request_duration_seconds',
    'The time to the headers of the responses of other servers.',
    CALL_BUCKETS,
  )
  const slow = counter('lectern_slow_statements_total', 'Statements over LECTERN_SLOW_QUERY_MS.')
  for (const outcome of ['sent', 'failed']) emails.inc({ outcome }, 0)
  return {
    job(kind, outcome, seconds) {
      runs.inc({ kind, outcome })
      runTimes.observe({ kind }, seconds)
    },
    email: (outcome) => emails.inc({ outcome }),
    outgoing(outcome, seconds) {
      calls.inc({ outcome })
      callTimes.observe(seconds)
    },
    slowStatement: () => slow.inc(),
  }
}

function blobMetrics(registry: Registry): Pick<Metrics, 'blob' | 'blobBytes'> {
  const { counter, histogram } = instruments(registry)
  const requests = counter('lectern_blob_requests_total', 'Requests to the store of uploaded files.', [
    'operation',
    'outcome',
  ])
  const times = histogram(
    'lectern_blob_request_duration_seconds',
    'How long requests to the store of uploaded files took; of a read, until its first bytes.',
    CALL_BUCKETS,
    ['operation'],
  )
  const bytes = counter('lectern_blob_bytes_total', 'The bytes of uploaded files that were stored or read.', [
    'direction',
  ])
  return {
    blob(operation, outcome, seconds) {
      requests.inc({ operation, outcome })
      times.observe({ operation }, seconds)
    },
    blobBytes: (direction, count) => bytes.inc({ direction }, count),
  }
}

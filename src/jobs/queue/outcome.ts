import type { Instant } from '../../db/columns.ts'
import { isBusy } from '../../db/errors.ts'
import type { Row, Tx } from '../../db/schema.ts'
import type { JobQueue } from './job-queue.ts'

const ATTEMPTS = 8

/** A job that a process runs: until its lease ends, no other process does. */
export interface LeasedJob {
  job: Row<'job'>
  leasedUntil: Instant
}

/** How a run of a job ended. With `later`, other due jobs of its kind come before its next run. */
export type Outcome = 'done' | 'later' | { error: unknown }

/**
 * Records the outcome of a run. A job whose end is not recorded runs again, so this does not give up while the database
 * is locked, unless the loop stops.
 */
export async function recordOutcome(
  queue: JobQueue,
  leased: LeasedJob,
  outcome: Outcome,
  stopping: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      return await record(queue, leased, outcome)
    } catch (error) {
      if (!isBusy(error) || stopping.aborted) throw error
    }
  }
}

function record(queue: JobQueue, leased: LeasedJob, outcome: Outcome): Promise<void> {
  if (outcome === 'done') return remove(queue, leased)
  return outcome === 'later' ? postpone(queue, leased) : retry(queue, leased, outcome.error)
}

/** A job whose payload changed while it ran has more to do, so it runs again. */
async function remove({ db }: JobQueue, leased: LeasedJob): Promise<void> {
  const { job, leasedUntil } = leased
  await db.write(async (tx) => {
    await tx
      .deleteFrom('job')
      .where('id', '=', job.id)
      .where('leasedUntil', '=', leasedUntil)
      .where('payload', '=', job.payload)
      .execute()
    await release(tx, leased, {})
  })
}

async function postpone({ db, clock }: JobQueue, leased: LeasedJob): Promise<void> {
  const change = { attempts: 0, runAt: clock().toISOString() }
  await db.write((tx) => release(tx, leased, change))
}

async function retry({ db, clock, log }: JobQueue, leased: LeasedJob, error: unknown): Promise<void> {
  const { id, kind, attempts: before } = leased.job
  const attempts = before + 1
  const failed = attempts >= ATTEMPTS
  const change = {
    attempts,
    state: failed ? ('failed' as const) : ('waiting' as const),
    runAt: retryTime(clock(), attempts),
    error: String(error instanceof Error ? (error.stack ?? error.message) : error).slice(0, 4000),
  }
  await db.write((tx) => release(tx, leased, change))
  const fact = { job: id, kind, attempts, err: error }
  if (failed) log.error(fact, 'job failed for good')
  else log.warn(fact, 'job failed; it will be retried')
}

/** Changes a job and ends its lease, unless another process has claimed it since. */
async function release(
  tx: Tx,
  { job, leasedUntil }: LeasedJob,
  change: Partial<Pick<Row<'job'>, 'attempts' | 'state' | 'runAt' | 'error'>>,
): Promise<void> {
  await tx
    .updateTable('job')
    .set({ ...change, leasedUntil: null })
    .where('id', '=', job.id)
    .where('leasedUntil', '=', leasedUntil)
    .execute()
}

/** The delay doubles with each attempt: 2, 4, 8 … seconds, at most an hour. */
function retryTime(now: Date, attempts: number): Instant {
  return new Date(now.getTime() + Math.min(1000 * 2 ** attempts, 3_600_000)).toISOString()
}

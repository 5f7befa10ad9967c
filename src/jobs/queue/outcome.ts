import type { Instant } from '../../db/columns.ts'
import { isBusy } from '../../db/errors.ts'
import type { Row, Tx } from '../../db/schema.ts'
import { causingTrace, type JobQueue } from './job-queue.ts'
import { faultOfError, plainError } from './plain-error.ts'
import { nextTry, PermanentFault, type Tries } from './tries.ts'

/** A job that a process runs: until its lease ends, no other process does. */
export interface LeasedJob {
  job: Row<'job'>
  leasedUntil: Instant
  /** The rule of its kind. */
  tries: Tries
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
  const change = { attempts: 0, firstTriedAt: null, runAt: clock().toISOString() }
  await db.write((tx) => release(tx, leased, change))
}

/** A job that failed for good stays in the table: administrators of the installation see it, and can run it again. */
async function retry({ db, clock, log }: JobQueue, leased: LeasedJob, error: unknown): Promise<void> {
  const { id, kind, attempts: before, firstTriedAt: first } = leased.job
  const attempts = before + 1
  const now = clock()
  const firstTriedAt = first ?? now.toISOString()
  const next =
    error instanceof PermanentFault
      ? undefined
      : nextTry(leased.tries, { attempts, firstTriedAt: new Date(firstTriedAt), now })
  const change = {
    attempts,
    state: next ? ('waiting' as const) : ('failed' as const),
    // Of a job that failed for good, when that was: the oldest are deleted first.
    runAt: (next ?? now).toISOString(),
    error: plainError(error),
    fault: JSON.stringify(faultOfError(error)) ?? null,
    firstTriedAt,
    lastTriedAt: now.toISOString(),
  }
  await db.write((tx) => release(tx, leased, change))
  const fact = { job: id, kind, attempts, causedBy: causingTrace(leased.job), err: error }
  if (next) log.warn({ ...fact, nextTryAt: next }, 'job failed; it will be retried')
  else log.error(fact, 'job failed for good')
}

/** Changes a job and ends its lease, unless another process has claimed it since. */
async function release(
  tx: Tx,
  { job, leasedUntil }: LeasedJob,
  change: Partial<
    Pick<Row<'job'>, 'attempts' | 'state' | 'runAt' | 'error' | 'fault' | 'firstTriedAt' | 'lastTriedAt'>
  >,
): Promise<void> {
  await tx
    .updateTable('job')
    .set({ ...change, lostLeases: 0, leasedUntil: null })
    .where('id', '=', job.id)
    .where('leasedUntil', '=', leasedUntil)
    .execute()
}

import { because } from '../../core/languages/reasons.ts'
import type { Row } from '../../db/schema.ts'

/** A job that loses this many leases in a row has failed for good. */
const LOST_MAX = 5
const MINUTE = 60_000

type Change = Pick<
  Row<'job'>,
  'lostLeases' | 'attempts' | 'firstTriedAt' | 'lastTriedAt' | 'error' | 'fault'
> &
  Partial<Pick<Row<'job'>, 'state' | 'runAt' | 'leasedUntil'>>

/**
 * What a job whose lease ran out becomes: the process that ran it ended, for example because its memory was exhausted, so
 * nobody recorded how the run ended. It counts as a try, because a job that ends its process would otherwise end each
 * process that claims it, for ever. After the first time, as after a restart, the job runs at once. Later it waits for a
 * random time that grows, so that jobs that only ran beside the one that ends processes do not run beside it again.
 * @param random from 0 to 1
 */
export function afterLostLease(job: Row<'job'>, now: Date, random: number = Math.random()): Change {
  const at = now.toISOString()
  const lostLeases = job.lostLeases + 1
  const { message, ...fault } =
    lostLeases === 1 ? because('job-ended-server') : because('job-ended-servers', { count: lostLeases })
  const tried = {
    lostLeases,
    attempts: job.attempts + 1,
    firstTriedAt: job.firstTriedAt ?? at,
    lastTriedAt: at,
    fault: JSON.stringify(fault),
    error: message,
  }
  if (lostLeases >= LOST_MAX) return { ...tried, state: 'failed', runAt: at, leasedUntil: null }
  if (lostLeases === 1) return tried
  const runAt = new Date(now.getTime() + Math.round(random * 2 ** lostLeases * MINUTE)).toISOString()
  return { ...tried, runAt, leasedUntil: null }
}

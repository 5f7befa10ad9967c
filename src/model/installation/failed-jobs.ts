import type { Tx } from '../../db/schema.ts'

/** How long a job that failed for good is kept. */
const KEPT_MS = 30 * 24 * 3_600_000
/** Of more failed jobs, the oldest are deleted. */
const MOST_KEPT = 5_000
const DELETED_AT_ONCE = 1_000

/** Deletes some of the failed jobs that are too old or too many. @returns whether there may be more */
export async function deleteOldFailedJobs(tx: Tx, now: Date): Promise<boolean> {
  const oldest = new Date(now.getTime() - KEPT_MS).toISOString()
  const beyond = await tx
    .selectFrom('job')
    .select('runAt')
    .where('state', '=', 'failed')
    .orderBy('runAt', 'desc')
    .offset(MOST_KEPT)
    .limit(1)
    .executeTakeFirst()
  const until = beyond && beyond.runAt > oldest ? beyond.runAt : oldest
  const some = tx
    .selectFrom('job')
    .select('id')
    .where('state', '=', 'failed')
    .where('runAt', '<=', until)
    .orderBy('runAt')
    .limit(DELETED_AT_ONCE)
  const { numDeletedRows } = await tx.deleteFrom('job').where('id', 'in', some).executeTakeFirst()
  return numDeletedRows >= DELETED_AT_ONCE
}

import type { Tx } from '../db/schema.ts'
import type { Enqueue } from '../http/route.ts'

/** Whether a job of a kind waits to run. Daily jobs are set going at the start of a server unless one waits. */
export async function isJobWaiting(tx: Tx, kind: string): Promise<boolean> {
  const waiting = await tx
    .selectFrom('job')
    .select('id')
    .where('kind', '=', kind)
    .where('state', '=', 'waiting')
    .limit(1)
    .executeTakeFirst()
  return waiting !== undefined
}

/** The organizations for which a job of a kind waits or runs. */
export async function organizationsWithJobs(tx: Tx, kind: string): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('job')
    .select('organizationId')
    .distinct()
    .where('kind', '=', kind)
    .where('state', '=', 'waiting')
    .execute()
  return new Set(rows.map(({ organizationId }) => organizationId))
}

/** Enqueues a daily job. The key contains the day: the job of today is in the table while it runs, and must not displace that of tomorrow. */
export async function enqueueDaily(tx: Tx, enqueue: Enqueue, kind: string, runAt: Date): Promise<void> {
  await enqueue(tx, kind, {}, { runAt, dedupe: `${kind}:${runAt.toISOString().slice(0, 10)}` })
}

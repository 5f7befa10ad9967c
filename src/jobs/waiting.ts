import type { Tx } from '../db/schema.ts'

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

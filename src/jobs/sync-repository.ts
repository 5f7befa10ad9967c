/** The syncs of spaces with their repositories: when they are due, and when a user asks for one. */
import type { Tx } from '../db/schema.ts'
import type { Enqueue, Services } from '../http/route.ts'
import { enqueueSync, type RewrittenDecision } from '../model/proposals/repository-connection.ts'
import { syncConnection } from '../sync/sync-connection.ts'
import { isJobWaiting } from './waiting.ts'
import type { Worker } from './queue/job-kind.ts'

const LOOK = 'look-for-syncs'
/** How often Lectern looks for syncs that are due, in milliseconds. */
const LOOK_MS = 60_000
const MOST_AT_ONCE = 100
/** The longest that one sync may take, in milliseconds: less than its job may. */
const SYNC_MS = 25 * 60_000

/** Syncs a space with its repository. */
export function syncRepository(services: Services): Worker {
  return async ({ spaceId, rewritten }: { spaceId: string; rewritten?: RewrittenDecision }) =>
    syncConnection(services, spaceId, AbortSignal.timeout(SYNC_MS), rewritten)
}

/** Enqueues the syncs that are due. */
export function lookForSyncs({ db, now, enqueue }: Pick<Services, 'db' | 'now' | 'enqueue'>): Worker {
  return async () => {
    const at = now()
    await db.write(async (tx) => {
      // Before anything can fail, so that the next look follows.
      await lookAgain(tx, enqueue, at)
      const due = await tx
        .selectFrom('repositoryConnection')
        .innerJoin('space', 'space.id', 'repositoryConnection.spaceId')
        .select(['spaceId', 'organizationId'])
        .where('nextSyncAt', '<=', at.toISOString())
        .where('space.deletedAt', 'is', null)
        .orderBy('nextSyncAt')
        .limit(MOST_AT_ONCE)
        .execute()
      for (const space of due) await enqueueSync(tx, enqueue, space)
    })
  }
}

/** Starts looking for syncs at the start of a server, unless a look is waiting already. */
export async function beginSyncing({
  db,
  enqueue,
  now,
}: Pick<Services, 'db' | 'enqueue' | 'now'>): Promise<void> {
  await db.write(async (tx) => {
    if (!(await isJobWaiting(tx, LOOK))) await lookAgain(tx, enqueue, now())
  })
}

/** The key contains the time, so that the job that runs does not displace the next one. */
async function lookAgain(tx: Tx, enqueue: Enqueue, now: Date): Promise<void> {
  const runAt = new Date((Math.floor(now.getTime() / LOOK_MS) + 1) * LOOK_MS)
  await enqueue(tx, LOOK, {}, { runAt, dedupe: `${LOOK}:${runAt.toISOString()}` })
}

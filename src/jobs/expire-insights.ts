import { enqueueDaily, isJobWaiting } from './waiting.ts'
import type { Tx } from '../db/schema.ts'
import type { Enqueue, Services } from '../http/route.ts'
import { removeSalts } from '../model/sites/insights/insight-recorder.ts'
import type { Worker } from './queue/job-kind.ts'

const DAY_MS = 24 * 3_600_000
const EVENTS_AT_ONCE = 2_000

/** Deletes the events of visitors that are older than the retention time, and the secrets of past days. It runs after midnight UTC. */
export function expireInsights({ db, enqueue, now, limits }: Services): Worker {
  return async () => {
    const at = now()
    // Before anything can fail, so that it runs tomorrow.
    await db.write(async (tx) => {
      await expireTomorrow(tx, enqueue, at)
      await removeSalts(tx, at)
    })
    const oldest = new Date(at.getTime() - limits.insightDays * DAY_MS).toISOString()
    for (;;) {
      const { numDeletedRows } = await db.write((tx) =>
        tx
          .deleteFrom('insightEvent')
          .where('id', 'in', (eb) =>
            eb
              .selectFrom('insightEvent')
              .select('id')
              .where('occurredAt', '<', oldest)
              .orderBy('occurredAt')
              .limit(EVENTS_AT_ONCE),
          )
          .executeTakeFirst(),
      )
      if (numDeletedRows === 0n) return
    }
  }
}

/** Starts the daily job at the start of a server, unless it is waiting already. */
export async function beginExpiring({
  db,
  enqueue,
  now,
}: Pick<Services, 'db' | 'enqueue' | 'now'>): Promise<void> {
  await db.write(async (tx) => {
    if (!(await isJobWaiting(tx, 'expire-insights'))) await expireTomorrow(tx, enqueue, now())
  })
}

/** At midnight (UTC). */
async function expireTomorrow(tx: Tx, enqueue: Enqueue, now: Date): Promise<void> {
  const runAt = new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS)
  await enqueueDaily(tx, enqueue, 'expire-insights', runAt)
}

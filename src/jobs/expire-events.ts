import type { Database, Tx } from '../db/schema.ts'
import type { Enqueue, Services } from '../http/route.ts'
import { deleteEndedCounts } from '../http/limits/shared-counts.ts'
import { deleteLostImports } from '../imports/progress.ts'
import { deleteOldSpaceEvents } from '../model/events/event.ts'
import { dueDigests, endDigest } from '../model/events/digest.ts'
import { deleteOldNotifications } from '../model/events/notification.ts'
import { deleteExpiredPresence } from '../model/events/presence.ts'
import { deleteOldFailedJobs } from '../model/installation/failed-jobs.ts'
import type { Worker } from './queue/job-kind.ts'
import { deleteOldAnswers } from '../model/people/answered-requests.ts'
import { isJobWaiting } from './waiting.ts'

const HOUR_MS = 3_600_000
const DIGESTS_AT_ONCE = 100

/** Deletes the events of spaces that are older than a day, the presence that has expired, old notifications, the counts of limits whose window has ended, the imports of copies that are gone, the answers to repeatable requests of before, and old jobs that failed for good; then sends the digests that are due. It runs every hour. */
export function expireEvents({ db, enqueue, now, mail }: Services): Worker {
  return async () => {
    const at = now()
    // Before anything can fail, so that it runs again.
    await db.write(async (tx) => {
      await expireNextHour(tx, enqueue, at)
      await deleteExpiredPresence(tx, at)
      await deleteLostImports(tx, at)
    })
    while (await db.write((tx) => deleteOldSpaceEvents(tx, at)));
    while (await db.write((tx) => deleteOldNotifications(tx, at)));
    while (await db.write((tx) => deleteEndedCounts(tx, at)));
    while (await db.write((tx) => deleteOldFailedJobs(tx, at)));
    while (await db.write((tx) => deleteOldAnswers(tx, at)));
    if (mail.configured) await sendDigests(db, enqueue, at)
  }
}

/** Enqueues the e-mails to the users whose digest is due. */
async function sendDigests(db: Database, enqueue: Enqueue, now: Date): Promise<void> {
  for (;;) {
    const due = await dueDigests(db.read, now, DIGESTS_AT_ONCE)
    if (due.length === 0) return
    await db.write(async (tx) => {
      for (const digest of due) {
        const { userId, digestedAt: since } = digest
        if (await endDigest(tx, digest, now))
          await enqueue(tx, 'send-email', { template: 'digest', userId, since })
      }
    })
  }
}

/** Starts the hourly job at the start of a server, unless it is waiting already. */
export async function beginExpiringEvents({
  db,
  enqueue,
  now,
}: Pick<Services, 'db' | 'enqueue' | 'now'>): Promise<void> {
  await db.write(async (tx) => {
    if (!(await isJobWaiting(tx, 'expire-events'))) await expireNextHour(tx, enqueue, now())
  })
}

/** The key contains the hour, so that the job of this hour does not displace that of the next. */
async function expireNextHour(tx: Tx, enqueue: Enqueue, now: Date): Promise<void> {
  const runAt = new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS)
  const dedupe = `expire-events:${runAt.toISOString().slice(0, 13)}`
  await enqueue(tx, 'expire-events', {}, { runAt, dedupe })
}

import { enqueueDaily, isJobWaiting } from './waiting.ts'
import type { Services } from '../http/route.ts'
import { blobsInUse } from '../model/content/files/blob-uses.ts'
import type { Worker } from './queue/job-kind.ts'

const DAY_MS = 24 * 3_600_000
/** How long bytes must be unused before they are removed. */
const UNUSED_FOR_MS = 7 * DAY_MS
/** A job delays the jobs after it, so it checks at most this many blobs and enqueues a job for the rest. */
const SEEN_AT_ONCE = 5_000
/** The number of parameters of one statement. */
const NAMED_AT_ONCE = 500

/** The fact about the installation that says when it was created. */
export const CREATED = 'created'

/**
 * Finds bytes that nothing uses, such as those of an import that failed after it had stored them, and
 * enqueues their removal a week later. It runs once a day, and checks only bytes that were stored more than a day ago.
 *
 * Bytes that are older than the installation stay, because another database may use them. The week is for a database that
 * was restored from a backup: it does not know the files that were stored later, and a newer backup may.
 */
export function sweepBlobs({ db, blobs, enqueue, now }: Services, atOnce = SEEN_AT_ONCE): Worker {
  return async ({ after }: { after?: string }) => {
    const at = now()
    // Before anything can fail, so that a store that cannot be read today is read tomorrow.
    if (after === undefined)
      await db.write((tx) => enqueueDaily(tx, enqueue, 'sweep-blobs', new Date(at.getTime() + DAY_MS)))

    const created = await createdAt()
    let seen = 0
    let last: string | undefined
    let old: string[] = []
    for await (const { hash, storedAt } of blobs.list(after)) {
      if (storedAt.getTime() < at.getTime() - DAY_MS && storedAt >= created) old.push(hash)
      if (old.length === NAMED_AT_ONCE) {
        await removeUnused(old, at)
        old = []
      }
      last = hash
      if (++seen === atOnce) break
    }
    await removeUnused(old, at)
    if (seen === atOnce) await db.write((tx) => enqueue(tx, 'sweep-blobs', { after: last }))
  }

  async function createdAt(): Promise<Date> {
    const row = await db.read
      .selectFrom('instance')
      .select('value')
      .where('name', '=', CREATED)
      .executeTakeFirstOrThrow()
    // S3 tells when bytes were stored in whole seconds.
    return new Date(Math.floor(new Date(row.value).getTime() / 1000) * 1000)
  }

  /** Enqueues the job that removes blobs, which checks again that nothing uses them. */
  async function removeUnused(hashes: string[], at: Date): Promise<void> {
    if (hashes.length === 0) return
    const used = await blobsInUse(db.read, hashes)
    const unused = hashes.filter((hash) => !used.has(hash))
    if (unused.length === 0) return
    await db.write(async (tx) => {
      for (const hash of unused) {
        const once = { dedupe: `remove-blob:${hash}`, runAt: new Date(at.getTime() + UNUSED_FOR_MS) }
        await enqueue(tx, 'remove-blob', { hash, unusedSince: at.toISOString() }, once)
      }
    })
  }
}

/**
 * Sets the daily sweep going, unless it goes already; at every start of a server. The first is after a day, so that
 * whoever started it with another database by mistake still has their files when they notice.
 */
export async function beginSweeping({
  db,
  enqueue,
  now,
}: Pick<Services, 'db' | 'enqueue' | 'now'>): Promise<void> {
  await db.write(async (tx) => {
    if (!(await isJobWaiting(tx, 'sweep-blobs')))
      await enqueueDaily(tx, enqueue, 'sweep-blobs', new Date(now().getTime() + DAY_MS))
  })
}

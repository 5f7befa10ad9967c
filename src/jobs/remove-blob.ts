import type { Services } from '../http/route.ts'
import { blobsInUse } from '../model/content/files/blob-uses.ts'
import type { Worker } from './queue/job-kind.ts'

/** Longer than any request takes between storing bytes and committing the row that uses them. */
const GRACE_MS = 3_600_000

/**
 * Removes bytes that nothing uses. Bytes stored within the last hour stay, because a transaction that is
 * not yet committed may use them; another job checks them when the hour has passed. This grace period replaces a lock:
 * a new use either stores the bytes again, which makes them recent, or copies a use that the query below sees.
 *
 * With `unusedSince`, bytes that were stored again after that time stay too. This also holds in a database that was
 * restored from a backup, which does not know the later use: the daily sweep finds the bytes again.
 */
export function removeBlob({ db, blobs, enqueue, now }: Services): Worker {
  return async ({ hash, unusedSince }: { hash: string; unusedSince?: string }) => {
    if ((await blobsInUse(db.read, [hash])).size > 0) return

    const at = now().getTime()
    const unlessStoredAfter = new Date(
      Math.min(at - GRACE_MS, unusedSince === undefined ? at : new Date(unusedSince).getTime()),
    )
    const removed = await blobs.remove(hash, { unlessStoredAfter })
    if (removed || unusedSince !== undefined || !(await blobs.has(hash))) return
    await db.write((tx) => enqueue(tx, 'remove-blob', { hash }, { runAt: new Date(at + GRACE_MS) }))
  }
}

import type { Services } from '../http/route.ts'
import type { Worker } from './queue.ts'

/** Longer than any change takes between putting bytes and telling the database of them. */
const GRACE_MS = 3_600_000

/**
 * Removes bytes that no space and no upload has. Those put within the last hour stay, for a change that is not
 * committed may have them; they are looked at again when the hour is over. That, and not a transaction, is what keeps
 * them: bytes come to be used by being put, or from a use that is seen here, in one reading of both.
 */
export function removeBlob({ db, blobs, enqueue, now }: Services): Worker {
  return async ({ hash }: { hash: string }) => {
    const used = await db.read
      .selectFrom('spaceBlob')
      .select('hash')
      .where('hash', '=', hash)
      .unionAll(db.read.selectFrom('upload').select('id as hash').where('blob', '=', hash))
      .limit(1)
      .executeTakeFirst()
    if (used) return

    const at = now().getTime()
    const removed = await blobs.remove(hash, { unlessStoredAfter: new Date(at - GRACE_MS) })
    if (removed || !(await blobs.has(hash))) return
    await db.write((tx) => enqueue(tx, 'remove-blob', { hash }, { runAt: new Date(at + GRACE_MS) }))
  }
}

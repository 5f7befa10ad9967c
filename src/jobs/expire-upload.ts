import type { Services } from '../http/route.ts'
import type { Worker } from './queue.ts'

/** Forgets an upload whose time is over, and its bytes unless a space or another upload has the same. */
export function expireUpload({ db, blobs }: Services): Worker {
  return async ({ id }: { id: string }) => {
    const orphan = await db.write(async (tx) => {
      const upload = await tx.deleteFrom('upload').where('id', '=', id).returningAll().executeTakeFirst()
      if (!upload?.blob) return undefined
      const used = await tx
        .selectFrom('spaceBlob')
        .select('hash')
        .where('hash', '=', upload.blob)
        .executeTakeFirst()
      const sent = await tx
        .selectFrom('upload')
        .select('id')
        .where('blob', '=', upload.blob)
        .executeTakeFirst()
      return used || sent ? undefined : upload.blob
    })
    if (orphan) await blobs.remove(orphan)
  }
}

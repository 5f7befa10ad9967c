import type { Services } from '../http/route.ts'
import type { Worker } from './queue/job-kind.ts'

/**
 * Deletes an expired upload, and its bytes unless a space or another upload uses the same bytes. An upload that was sent
 * meanwhile expires later.
 */
export function expireUpload({ db, enqueue, now }: Services): Worker {
  return async ({ id }: { id: string }) => {
    await db.write(async (tx) => {
      const upload = await tx
        .selectFrom('upload')
        .select(['blob', 'expiresAt'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!upload) return
      const expiresAt = new Date(upload.expiresAt)
      if (expiresAt > now()) {
        await enqueue(tx, 'expire-upload', { id }, { runAt: expiresAt })
        return
      }
      await tx.deleteFrom('upload').where('id', '=', id).execute()
      if (upload.blob !== null) await enqueue(tx, 'remove-blob', { hash: upload.blob })
    })
  }
}

import type { Services } from '../http/route.ts'
import type { Worker } from './queue/job-kind.ts'

/** Deletes an expired upload, and its bytes unless a space or another upload uses the same bytes. */
export function expireUpload({ db, enqueue }: Services): Worker {
  return async ({ id }: { id: string }) => {
    await db.write(async (tx) => {
      const upload = await tx.deleteFrom('upload').where('id', '=', id).returningAll().executeTakeFirst()
      if (upload?.blob) await enqueue(tx, 'remove-blob', { hash: upload.blob })
    })
  }
}

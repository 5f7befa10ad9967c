import { contentTypeFor } from '../../../core/web/content-type.ts'
import { isShown } from '../../../core/web/signature.ts'
import type { Reader } from '../../../db/schema.ts'

/** The bytes of a space, under the name of a file that has them. */
export interface KeptFileName {
  spaceId: string
  hash: string
  name: string
}

/** Returns the metadata of stored bytes of a space; undefined if the space does not store them, or is in the trash. */
export async function findKeptFile(db: Reader, { spaceId, hash, name }: KeptFileName) {
  const kept = await db
    .selectFrom('spaceBlob')
    .innerJoin('space', 'space.id', 'spaceBlob.spaceId')
    .select(['spaceBlob.size', 'spaceBlob.contentType'])
    .where('spaceBlob.hash', '=', hash)
    .where('spaceBlob.spaceId', '=', spaceId)
    .where('space.deletedAt', 'is', null)
    .executeTakeFirst()
  if (!kept) return undefined
  const { size, contentType: declared } = kept
  // Several files can share the bytes under different names, so the type detected from the bytes applies to all.
  const contentType = contentTypeFor(name, { declared, shown: isShown(declared) ? declared : undefined })
  return { hash, name, size, contentType }
}

import type { Reader } from '../../../db/schema.ts'
import { hashOfPhoto, keptPhoto } from '../../people/user.ts'

/** Those of the given blobs that something uses: a file, an upload, a picture, a font, a pushed
 * commit, or an OpenAPI specification. */
export async function blobsInUse(db: Reader, hashes: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('spaceBlob')
    .select('hash')
    .where('hash', 'in', hashes)
    .unionAll(
      db
        .selectFrom('upload')
        .select('blob as hash')
        .where('blob', 'in', hashes)
        .$narrowType<{ hash: string }>(),
    )
    .unionAll(
      db
        .selectFrom('user')
        .select('photoUrl as hash')
        .where('photoUrl', 'in', hashes.map(keptPhoto))
        .$narrowType<{ hash: string }>(),
    )
    .unionAll(db.selectFrom('fontFile').select('hash').where('hash', 'in', hashes))
    .unionAll(db.selectFrom('openapiVersion').select('blob as hash').where('blob', 'in', hashes))
    .unionAll(db.selectFrom('openapiVersion').select('sourceBlob as hash').where('sourceBlob', 'in', hashes))
    .unionAll(
      db
        .selectFrom('openapiSpec')
        .select('sourceBlob as hash')
        .where('sourceBlob', 'in', hashes)
        .$narrowType<{ hash: string }>(),
    )
    .unionAll(db.selectFrom('pushedCommit').select('pack as hash').where('pack', 'in', hashes))
    .execute()
  return new Set(rows.map(({ hash }) => hashOfPhoto(hash) ?? hash))
}

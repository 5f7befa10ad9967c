import { Type } from 'typebox'
import { anyone } from '../../access/on.ts'
import { contentTypeFor } from '../../core/repository/content-type.ts'
import { isShown } from '../../core/repository/signature.ts'
import { notFound } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { Id } from '../../model/common.ts'
import { fileDownload } from '../../model/content/download.ts'

export const downloadFile = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/files/:hash/:name',
  summary: 'Download a file',
  description:
    'No token is required. The request must carry the signature from the file’s `downloadURL`. The `Range` header is supported.',
  access: anyone(),
  params: Type.Object({
    spaceId: Id,
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', 'x-pattern': 'be a SHA-256 hash in hexadecimal' }),
    name: Type.String({ minLength: 1, maxLength: 512 }),
  }),
  query: Type.Object({ signature: Type.String({ maxLength: 64 }) }),
  returns: 'download',
  async handler({ db, urls, blobs, conditions, params: { spaceId, hash, name }, query: { signature } }) {
    if (!urls.signed(spaceId, hash, signature)) throw notFound()
    const kept = await db
      .selectFrom('spaceBlob')
      .innerJoin('space', 'space.id', 'spaceBlob.spaceId')
      .select(['spaceBlob.size', 'spaceBlob.contentType'])
      .where('spaceBlob.hash', '=', hash)
      .where('spaceBlob.spaceId', '=', spaceId)
      .where('space.deletedAt', 'is', null)
      .executeTakeFirst()
    if (!kept) throw notFound()
    const { size, contentType: declared } = kept
    // Several files can share the bytes under different names, so the type detected from the bytes applies to all.
    const contentType = contentTypeFor(name, { declared, shown: isShown(declared) ? declared : undefined })
    return fileDownload(blobs, { hash, name, size, contentType }, conditions)
  },
})

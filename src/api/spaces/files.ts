import { Type } from 'typebox'
import { anyone } from '../../access/on.ts'
import { contentTypeFor } from '../../core/repository/content-type.ts'
import { isShown } from '../../core/repository/signature.ts'
import { notFound } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { Id } from '../../model/common.ts'
import { fileDownload } from '../../model/download.ts'

export const downloadFile = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/files/:hash/:name',
  summary: 'The bytes of a file',
  description:
    'Needs no token but the signature that the `downloadURL` of the file has. Takes a `Range` of bytes.',
  access: anyone(),
  params: Type.Object({
    spaceId: Id,
    hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    name: Type.String({ minLength: 1, maxLength: 512 }),
  }),
  query: Type.Object({ signature: Type.String({ maxLength: 64 }) }),
  returns: 'download',
  async handler({ db, at, blobs, conditions, params: { spaceId, hash, name }, query: { signature } }) {
    if (!at.signed(spaceId, hash, signature)) throw notFound()
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
    // The same bytes may have come under several names; what they show is true under all of them.
    const contentType = contentTypeFor(name, { declared, shown: isShown(declared) ? declared : undefined })
    return fileDownload(blobs, { hash, name, size, contentType }, conditions)
  },
})

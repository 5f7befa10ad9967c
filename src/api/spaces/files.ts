import { Type } from 'typebox'
import { anyone } from '../../access/checks/on.ts'
import { notFound } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { Id } from '../../model/common.ts'
import { fileDownload } from '../../model/content/download.ts'
import { findKeptFile } from '../../model/content/files/kept-file.ts'

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
    if (!urls.signed(spaceId, hash, signature)) throw notFound('file')
    const file = await findKeptFile(db, { spaceId, hash, name })
    if (!file) throw notFound('file')
    return fileDownload(blobs, file, conditions)
  },
})

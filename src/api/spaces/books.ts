import { Type } from 'typebox'
import { anyone } from '../../access/on.ts'
import { isBookSigned, sizeOfBook, typeOfBook } from '../../books/download.ts'
import { missing, notFound } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { Id } from '../../model/common.ts'
import { fileDownload } from '../../model/content/download.ts'

export const downloadBook = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/books/:hash/:name',
  summary: 'Download a PDF, an EPUB or an archive',
  description:
    'No token is required. The request must carry the signature from the `url` that making the file returned. The address works for an hour. The `Range` header is supported.',
  access: anyone(),
  params: Type.Object({
    spaceId: Id,
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', 'x-pattern': 'be a SHA-256 hash in hexadecimal' }),
    name: Type.String({ minLength: 1, maxLength: 512 }),
  }),
  query: Type.Object({
    until: Type.Integer({ minimum: 0, maximum: 1e11, description: 'When the address expires, in seconds' }),
    signature: Type.String({ maxLength: 64 }),
  }),
  returns: 'download',
  async handler({ urls, blobs, conditions, now, params, query }) {
    if (!isBookSigned(urls, params, query, now)) throw notFound('file')
    const { hash, name } = params
    const size = await sizeOfBook(blobs, hash)
    if (size === undefined) throw missing('This file is not stored any more; make it again')
    const download = await fileDownload(
      blobs,
      { hash, name, size, contentType: typeOfBook(name) },
      conditions,
    )
    const seconds = Math.max(0, Math.floor(query.until - now.getTime() / 1000))
    return { ...download, headers: { ...download.headers, 'cache-control': `private, max-age=${seconds}` } }
  },
})

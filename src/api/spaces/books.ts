import { Type } from 'typebox'
import { anyone } from '../../access/checks/on.ts'
import { holderIn, mayDownload, sizeOfBook, typeOfBook } from '../../books/download.ts'
import { missing, notFound } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { Id } from '../../model/common.ts'
import { fileDownload } from '../../model/content/download.ts'
import { LONGEST_SEALED_READER } from '../../model/sites/published/resolve/file-address.ts'
import { because } from '../../core/languages/reasons.ts'

export const downloadBook = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/books/:hash/:name',
  summary: 'Download a PDF, an EPUB or an archive',
  description:
    'No token is required. The request must carry the signature from the `url` that making the file returned. The address works for an hour, as long as the user for whom it was made can read the space, or as long as the site shows the same content to its reader. The `Range` header is supported.',
  access: anyone(),
  params: Type.Object({
    spaceId: Id,
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', 'x-pattern': 'be a SHA-256 hash in hexadecimal' }),
    name: Type.String({ minLength: 1, maxLength: 512 }),
  }),
  query: Type.Object({
    signature: Type.String({ maxLength: LONGEST_SEALED_READER }),
  }),
  returns: 'download',
  media: ['application/pdf', 'application/epub+zip', 'application/zip'],
  async handler({ db, sealing, blobs, conditions, now, params, query }) {
    const { spaceId, hash, name } = params
    const made = holderIn(sealing, params, query.signature, now)
    if (!made) throw notFound('file')
    if (!(await mayDownload({ db, sealing, now }, { spaceId, ...made })))
      throw missing(because('book-outdated'))
    const size = await sizeOfBook(blobs, hash)
    if (size === undefined) throw missing(because('book-forgotten'))
    const download = await fileDownload(
      blobs,
      { hash, name, size, contentType: typeOfBook(name) },
      conditions,
    )
    return { ...download, headers: { ...download.headers, 'cache-control': 'private, no-cache' } }
  },
})

import type { Blobs } from '../blobs/blobs.ts'
import { contentTypeOf } from '../core/repository/content-type.ts'
import { notFound } from '../http/errors.ts'
import type { Circumstances, Download } from '../http/route.ts'

/** Shown in place by a browser; everything else is saved. */
const SHOWN = /^(image|audio|video)\/|^application\/pdf$|^text\/plain/

/**
 * A stored file as an answer: its type by its name, in ranges where asked, for ever the same, and never able to run in
 * the origin that serves it.
 */
export async function fileDownload(
  blobs: Blobs,
  { hash, name, size }: { hash: string; name: string; size: number },
  conditions: Circumstances['conditions'],
): Promise<Download> {
  const etag = `"${hash.slice(0, 27)}"`
  const contentType = contentTypeOf(name)
  const headers: Record<string, string> = {
    etag,
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'content-type': contentType,
    'content-disposition': `${SHOWN.test(contentType) ? 'inline' : 'attachment'}; ${fileNames(name)}`,
  }
  if (conditions.ifNoneMatch?.includes(etag)) return { status: 304, headers, body: undefined }

  const range = readRange(conditions.range, size)
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` }, body: undefined }
  }
  const blob = await blobs.get(hash, range)
  if (!blob) throw notFound()
  if (!range)
    return { status: 200, headers: { ...headers, 'content-length': String(size) }, body: blob.stream }

  headers['content-range'] = `bytes ${range.start}-${range.end - 1}/${size}`
  headers['content-length'] = String(range.end - range.start)
  return { status: 206, headers, body: blob.stream }
}

/** The first range of a `Range` header (RFC 9110, 14.2); undefined asks for everything, as several ranges do here. */
export function readRange(header: string | undefined, size: number) {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(Number(last) + 1, size)
  if (start >= size || end <= start) return 'unsatisfiable'
  return { start, end }
}

/** The name for old clients in ASCII, and as it is (RFC 6266). */
function fileNames(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return `filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escapeByte)}`
}

const escapeByte = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

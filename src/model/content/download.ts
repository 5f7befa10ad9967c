import type { Blobs } from '../../blobs/blobs.ts'
import { contentDisposition } from '../../core/web/file-name.ts'
import { matches } from '../../http/response/answer.ts'
import { notFound } from '../../http/errors.ts'
import type { Conditions, Download } from '../../http/route.ts'

/** Types that a browser displays. It saves all other types as files. */
const SHOWN = /^(image|audio|video)\/|^application\/pdf$|^text\/plain/

/** Blocks scripts, forms and external resources, and gives the document an opaque origin. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox"

/**
 * The response for a stored file. It supports ranges, can be cached for ever, and cannot run scripts in the origin of the
 * server.
 */
export async function fileDownload(
  blobs: Blobs,
  file: { hash: string; name: string; size: number; contentType: string },
  conditions: Conditions,
): Promise<Download> {
  const { hash, name, size, contentType } = file
  const etag = `"${hash.slice(0, 27)}"`
  const headers: Record<string, string> = {
    etag,
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'content-type': contentType,
    'content-disposition': contentDisposition(SHOWN.test(contentType) ? 'inline' : 'attachment', name),
    // Browsers do not start their PDF viewer in a sandbox. The viewer does not run in this origin.
    ...(contentType === 'application/pdf' ? {} : { 'content-security-policy': POLICY }),
  }
  if (matches(conditions.ifNoneMatch, etag)) return { status: 304, headers, body: undefined }

  // If the client has another version, a range of this one is useless to it (RFC 9110, section 13.1.5).
  const whole = conditions.ifRange !== undefined && conditions.ifRange.trim() !== etag
  const range = whole ? undefined : readRange(conditions.range, size)
  if (range === 'unsatisfiable') {
    const refused = {
      'accept-ranges': 'bytes',
      'content-range': `bytes */${size}`,
      'cache-control': 'no-store',
    }
    return { status: 416, headers: refused, body: undefined }
  }
  const blob = await blobs.get(hash, range)
  if (!blob) throw notFound('file')
  if (!range)
    return { status: 200, headers: { ...headers, 'content-length': String(size) }, body: blob.stream }

  headers['content-range'] = `bytes ${range.start}-${range.end - 1}/${size}`
  headers['content-length'] = String(range.end - range.start)
  return { status: 206, headers, body: blob.stream }
}

/** Parses a `Range` header with one range (RFC 9110, section 14.2). Several ranges are ignored: the result is undefined. */
function readRange(header: string | undefined, size: number) {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(Number(last) + 1, size)
  if (start >= size || end <= start) return 'unsatisfiable'
  return { start, end }
}

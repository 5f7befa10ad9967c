import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { etagOf } from '../http/answer.ts'

/** A finished answer, compressed once and kept: what is sent for one address of a site. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: Encoded
}

interface Encoded {
  identity: Buffer
  gzip?: Buffer
  br?: Buffer
}

const squeeze = { gzip: promisify(gzip), brotli: promisify(brotliCompress) }
const SMALL = 1024
const BROTLI_QUALITY = 5

/** A text as an answer: compressed both ways unless it is small, with its ETag. */
export async function answerText(
  status: number,
  contentType: string,
  text: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const identity = Buffer.from(text)
  const body: Encoded = { identity }
  if (identity.length >= SMALL) {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
    }
    ;[body.gzip, body.br] = await Promise.all([squeeze.gzip(identity), squeeze.brotli(identity, { params })])
  }
  return {
    status,
    headers: {
      'content-type': contentType,
      etag: etagOf(identity),
      'cache-control': 'public, max-age=0, must-revalidate',
      vary: 'accept-encoding',
      ...headers,
    },
    body,
  }
}

/** The address moved. Sites are only read, so no method has to be kept: every reader and crawler knows 301. */
export function answerRedirect(location: string, permanent = true): Answer {
  return {
    status: permanent ? 301 : 302,
    headers: { location, 'cache-control': permanent ? 'public, max-age=300' : 'no-cache' },
    body: { identity: Buffer.alloc(0) },
  }
}

/** The best form of a body for an `Accept-Encoding` header. */
export function chooseEncoding(
  { body }: Answer,
  accepted: string | undefined,
): { bytes: Buffer; encoding?: 'br' | 'gzip' } {
  if (body.br && accepts(accepted, 'br')) return { bytes: body.br, encoding: 'br' }
  if (body.gzip && accepts(accepted, 'gzip')) return { bytes: body.gzip, encoding: 'gzip' }
  return { bytes: body.identity }
}

function accepts(header: string | undefined, encoding: string): boolean {
  if (!header?.includes(encoding)) return false
  return !new RegExp(`\\b${encoding}\\s*;\\s*q=0(\\.0+)?\\s*(,|$)`).test(header)
}

/** Memory an answer takes, in bytes. */
export function weightOf({ body }: Answer): number {
  return 500 + body.identity.length + (body.gzip?.length ?? 0) + (body.br?.length ?? 0)
}

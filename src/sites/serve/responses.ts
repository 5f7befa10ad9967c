import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { heapSize } from '../../core/heap-size.ts'
import { lru } from '../../core/lru.ts'
import { etagOf, matches } from '../../http/answer.ts'

/** A finished response to a GET request for one address of a site. It is compressed once and can be cached. */
export interface SiteResponse {
  status: number
  headers: Record<string, string>
  body: Encoded
  /** A later response for the same address may have more, so this one is not cached. */
  partial?: boolean
}

interface Encoded {
  identity: Buffer
  gzip?: Buffer
  br?: Buffer
}

const compress = { gzip: promisify(gzip), brotli: promisify(brotliCompress) }
/** Compressing fewer bytes than this saves nothing. */
const SMALL = 1024
const BROTLI_QUALITY = 5

/** A text with its ETag, compressed with gzip and with brotli unless it is small. */
export async function textResponse(
  status: number,
  contentType: string,
  text: string,
  headers: Record<string, string> = {},
): Promise<SiteResponse> {
  const identity = Buffer.from(text)
  const body: Encoded = { identity }
  if (identity.length >= SMALL) {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
    }
    ;[body.gzip, body.br] = await Promise.all([
      compress.gzip(identity),
      compress.brotli(identity, { params }),
    ])
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

/** A redirect. Sites are read-only, so 301 and 302 need not preserve a method, and all clients support them. */
export function redirectResponse(location: string, permanent = true): SiteResponse {
  return {
    status: permanent ? 301 : 302,
    headers: { location, 'cache-control': permanent ? 'public, max-age=300' : 'no-cache' },
    body: { identity: Buffer.alloc(0) },
  }
}

/** Sends a response in the encoding that the client prefers, or 304 if the client has it. */
export function sendResponse(request: FastifyRequest, reply: FastifyReply, response: SiteResponse) {
  const { status, headers } = response
  if (headers.etag && matches(request.headers['if-none-match'], headers.etag))
    return reply.code(304).headers(headers).send()
  if (headers.location !== undefined)
    return reply
      .code(status)
      .headers({ ...headers, location: withQuery(headers.location, request.originalUrl) })
      .send()
  const { bytes, encoding } = chooseEncoding(response, request.headers['accept-encoding'])
  if (encoding) reply.header('content-encoding', encoding)
  return reply.code(status).headers(headers).send(bytes)
}

/** A redirect within the host keeps the query of the request; a redirect to another host does not. */
function withQuery(location: string, url: string): string {
  const at = url.indexOf('?')
  return at < 0 || !location.startsWith('/') ? location : location + url.slice(at)
}

function chooseEncoding(
  { body }: SiteResponse,
  accepted: string = '',
): { bytes: Buffer; encoding?: 'br' | 'gzip' } {
  if (!body.br && !body.gzip) return { bytes: body.identity }
  let accepts = acceptedEncodings.get(accepted)
  if (!accepts) {
    accepts = readAccepted(accepted)
    acceptedEncodings.set(accepted, accepts, heapSize(accepted) + heapSize(accepts))
  }
  if (body.br && accepts.br) return { bytes: body.br, encoding: 'br' }
  if (body.gzip && accepts.gzip) return { bytes: body.gzip, encoding: 'gzip' }
  return { bytes: body.identity }
}

/** `Accept-Encoding` headers that were read. Browsers send only a few different ones. */
const acceptedEncodings = lru<{ br: boolean; gzip: boolean }>(64 * 1024)

function readAccepted(header: string) {
  const names = header.split(',').map((part) => part.split(';').map((word) => word.trim()))
  const isAccepted = (name: string) =>
    names.some(([coding, weight]) => coding === name && !/^q=0(\.0*)?$/.test(weight ?? ''))
  return { br: isAccepted('br'), gzip: isAccepted('gzip') }
}

/** The memory that a response takes in a cache, in bytes. */
export function weightOf({ body }: SiteResponse): number {
  return 500 + body.identity.length + (body.gzip?.length ?? 0) + (body.br?.length ?? 0)
}

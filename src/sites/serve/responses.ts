import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownBytes } from '../../core/runtime/own-bytes.ts'
import { partyFor } from '../../core/runtime/turns.ts'
import { etagOf, matches, whenRoom } from '../../http/response/answer.ts'
import { inCompression, preferredEncoding } from '../../http/response/encodings.ts'
import { clientOf, countedFor, type Network } from '../../http/limits/networks.ts'
import type { Elsewhere } from '../../model/sites/published/resolve/elsewhere.ts'
import type { Visit } from '../../model/sites/published/visit.ts'
import { ShareFull } from '../../threads/shares.ts'

export const TEXT_TYPE = 'text/plain; charset=utf-8'

/** A finished response to a GET request for one address of a site. It is compressed once and can be cached. */
export interface SiteResponse {
  status: number
  headers: Record<string, string>
  body: Encoded
  /** A later response for the same address may have more, so this one is not cached. */
  partial?: boolean
  /** The content of other sites that the response shows. The response is valid while those sites stay unchanged. */
  elsewhere?: Elsewhere
  /** The address of a redirect is complete: the query of the request is not added to it. */
  keepsLocation?: boolean
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

/**
 * A text with its ETag, compressed with gzip and with brotli unless it is small. While too much waits to be compressed,
 * the response is sent as it is.
 */
export async function textResponse(
  status: number,
  contentType: string,
  text: string,
  headers: Record<string, string> = {},
): Promise<SiteResponse> {
  const identity = ownBytes(text)
  const compressed =
    identity.length < SMALL
      ? {}
      : await inCompression({ user: partyFor('sites').user }, () => compressedOf(identity)).catch(ifFull)
  return {
    status,
    ...(compressed ? {} : { partial: true }),
    headers: {
      'content-type': contentType,
      etag: etagOf(identity),
      'cache-control': 'public, max-age=0, must-revalidate',
      vary: 'accept-encoding',
      ...headers,
    },
    body: { identity, ...compressed },
  }
}

async function compressedOf(identity: Buffer): Promise<Omit<Encoded, 'identity'>> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  }
  const gzipped = ownBytes(await compress.gzip(identity))
  return { gzip: gzipped, br: ownBytes(await compress.brotli(identity, { params })) }
}

function ifFull(error: unknown): undefined {
  if (!(error instanceof ShareFull)) throw error
}

/** A redirect. Sites are read-only, so 301 and 302 need not preserve a method, and all clients support them. */
export function redirectResponse(location: string, permanent = true): SiteResponse {
  return {
    status: permanent ? 301 : 302,
    headers: { location, 'cache-control': permanent ? 'public, max-age=300' : 'no-cache' },
    body: { identity: Buffer.alloc(0) },
  }
}

/** A redirect to an address of the same site, whose query is complete. */
export function seeOther(location: string): SiteResponse {
  return {
    status: 303,
    headers: { location, 'cache-control': 'private, no-store' },
    body: { identity: Buffer.alloc(0) },
    keepsLocation: true,
  }
}

/** A redirect that an editor configured, with the status that keeps the method (RFC 9110, sections 15.4.8 and 15.4.9). */
export function configuredRedirect(location: string, permanent: boolean): SiteResponse {
  return { ...redirectResponse(location, permanent), status: permanent ? 308 : 307 }
}

const STORED: Record<Visit['storedBy'], string | undefined> = {
  anyone: undefined,
  reader: 'private, max-age=0, must-revalidate',
  nobody: 'private, no-store',
}

/** The headers that readers differ by: a shared cache must not answer one with the response for another. */
export const VARY = 'accept-encoding, accept, cookie, authorization'

/** A response for one reader, with the headers that keep it from others. */
export function forVisit({ storedBy }: Pick<Visit, 'storedBy'>, response: SiteResponse): SiteResponse {
  const cacheControl = STORED[storedBy]
  if (cacheControl === undefined) return response
  return { ...response, headers: { ...response.headers, 'cache-control': cacheControl, vary: VARY } }
}

/** Sends a response in the encoding that the client prefers, or 304 if the client has it. */
export function sendResponse(request: FastifyRequest, reply: FastifyReply, response: SiteResponse) {
  const { status, headers } = response
  // Other responses ignore preconditions (RFC 9110, section 13.2.1).
  if (status === 200 && headers.etag && matches(request.headers['if-none-match'], headers.etag))
    return reply.code(304).headers(headers).send()
  if (headers.location !== undefined)
    return reply
      .code(status)
      .headers(
        response.keepsLocation
          ? headers
          : { ...headers, location: withQuery(headers.location, request.originalUrl) },
      )
      .send()
  const { bytes, encoding } = chooseEncoding(response, request.headers['accept-encoding'])
  return whenRoom(
    reply,
    () => visitorKey(request),
    bytes.length,
    () => {
      if (encoding) reply.header('content-encoding', encoding)
      return reply.code(status).headers(headers).send(bytes)
    },
  )
}

/** Returns what a visitor is counted by. Visitors and API callers do not use up each other's share. */
export function visitorKey({ ip }: FastifyRequest): readonly Network[] {
  return countedFor('sites', clientOf(ip))
}

/** A redirect within the host keeps the query of the request; a redirect to another host does not. */
function withQuery(location: string, url: string): string {
  const at = url.indexOf('?')
  return at < 0 || !location.startsWith('/') ? location : location + url.slice(at)
}

function chooseEncoding(
  { body }: SiteResponse,
  accepted: string | string[] | undefined,
): { bytes: Buffer; encoding?: 'br' | 'gzip' } {
  const offered = (['br', 'gzip'] as const).filter((name) => body[name])
  const encoding = preferredEncoding(accepted, offered)
  return encoding ? { bytes: body[encoding]!, encoding } : { bytes: body.identity }
}

/** The memory that a response takes in a cache, in bytes. */
export function weightOf({ body }: SiteResponse): number {
  return 500 + body.identity.length + (body.gzip?.length ?? 0) + (body.br?.length ?? 0)
}

/** Whether a client would rather have Markdown than HTML: its `Accept` names Markdown, with the weight of HTML or more. */
export function prefersMarkdown(accept: string | undefined): boolean {
  // The headers of browsers end here.
  if (!accept?.includes('text/markdown')) return false
  const weights = new Map(
    accept.split(',').map((part) => {
      const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2)
      return [type, weight === undefined ? 1 : Number(weight) || 0] as const
    }),
  )
  const markdown = weights.get('text/markdown') ?? 0
  return markdown > 0 && markdown >= (weights.get('text/html') ?? 0)
}

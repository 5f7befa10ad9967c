import { type Readable, type Transform, pipeline } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { heapSize } from '../core/heap-size.ts'
import { lru } from '../core/lru.ts'
import { methodOf } from './head.ts'

/** A content coding of HTTP. */
export type Encoding = 'zstd' | 'br' | 'gzip'

const NAMES: readonly Encoding[] = ['zstd', 'br', 'gzip']

/** `Accept-Encoding` headers that were read. Clients send only a few different ones. */
const known = lru<ReadonlySet<Encoding>>(64 * 1024)

/** The codings that an `Accept-Encoding` header accepts by name. */
export function acceptedEncodings(header = ''): ReadonlySet<Encoding> {
  const before = known.get(header)
  if (before) return before
  const parts = header.split(',').map((part) => part.split(';').map((word) => word.trim()))
  const isAccepted = (name: string) =>
    parts.some(([coding, weight]) => coding === name && !/^q=0(\.0*)?$/.test(weight ?? ''))
  const accepted = new Set(NAMES.filter(isAccepted))
  known.set(header, accepted, heapSize(header) + 200)
  return accepted
}

/** Shorter answers fit into the first packets anyway. */
const SMALL = 1024

/** To encode such an answer takes about 0.1 ms, and to let another thread do it takes several times as long. */
const QUICK = 32 * 1024

/** A way to encode answers: a short one at once, a longer one in another thread, or one that is made while it is sent. */
interface Coder {
  quick(text: string): Buffer
  whole(text: string): Promise<Buffer>
  parts(): Transform
  decode(bytes: Buffer): Buffer
}

/** As fast as the sending of what they save. */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }
/** Half the time of the default, and a fifteenth more bytes. */
const GZIP = { level: 3 }
const CODERS: Record<Encoding, Coder> = {
  zstd: {
    quick: (text) => zlib.zstdCompressSync(text),
    whole: promisify<string, Buffer>(zlib.zstdCompress),
    parts: () => zlib.createZstdCompress(),
    decode: (bytes) => zlib.zstdDecompressSync(bytes),
  },
  br: {
    quick: (text) => zlib.brotliCompressSync(text, BROTLI),
    whole: (text) => promisify<string, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)(text, BROTLI),
    parts: () => zlib.createBrotliCompress(BROTLI),
    decode: (bytes) => zlib.brotliDecompressSync(bytes),
  },
  gzip: {
    quick: (text) => zlib.gzipSync(text, GZIP),
    whole: (text) => promisify<string, zlib.ZlibOptions, Buffer>(zlib.gzip)(text, GZIP),
    parts: () => zlib.createGzip(GZIP),
    decode: (bytes) => zlib.gunzipSync(bytes),
  },
}

/** The bytes of a text in the codings in which it was sent. */
export interface KeptCodings {
  get(encoding: Encoding): Buffer | undefined
  set(encoding: Encoding, bytes: Buffer): void
}

/** The text that was encoded. */
export function decoded(encoding: Encoding, bytes: Buffer): string {
  return CODERS[encoding].decode(bytes).toString()
}

/**
 * Sends a text in the best coding that the client accepts. An ETag becomes a weak one then, because it stands for the
 * text and not for its bytes.
 * @param kept what is kept of a text that is sent again and again
 */
export function sendEncoded(
  { raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>,
  reply: FastifyReply,
  text: () => string | Readable,
  kept?: KeptCodings,
): FastifyReply | Promise<FastifyReply> {
  const accepted = acceptedEncodings(headers['accept-encoding']?.toString())
  const encoding = methodOf(raw) === 'HEAD' ? undefined : NAMES.find((name) => accepted.has(name))
  const sent = encoding && kept?.get(encoding)
  const body = sent ?? text()
  const isShort = typeof body === 'string' && body.length < SMALL
  if (isShort) return reply.send(body)
  reply.header('vary', 'accept-encoding')
  if (encoding === undefined) return reply.send(body)
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`)
  reply.header('content-encoding', encoding)
  if (Buffer.isBuffer(body)) return reply.send(body)
  if (typeof body !== 'string') {
    const coder = CODERS[encoding].parts()
    // Both end when one of them fails; Fastify logs the error of the one that it sends.
    pipeline(body, coder, () => undefined)
    return reply.send(coder)
  }
  if (body.length <= QUICK) {
    const bytes = CODERS[encoding].quick(body)
    kept?.set(encoding, bytes)
    return reply.send(bytes)
  }
  return CODERS[encoding].whole(body).then((bytes) => {
    kept?.set(encoding, bytes)
    return reply.send(bytes)
  })
}

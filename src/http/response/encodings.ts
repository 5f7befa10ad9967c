import { type Readable, type Transform, pipeline } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedCoding } from '../../core/web/accepted.ts'
import { heapSize } from '../../core/runtime/heap-size.ts'
import { lru } from '../../core/data/lru.ts'
import { tally } from '../../core/data/tally.ts'
import { ShareFull, fairShare } from '../../threads/shares.ts'

/** A content coding of HTTP. */
export type Encoding = 'zstd' | 'br' | 'gzip'

/** Of those that a client accepts equally, the first one is used. */
const NAMES: readonly Encoding[] = ['zstd', 'br', 'gzip']

/** The coding that a client prefers, by its header and what is offered. Clients send only a few different headers. */
const known = lru<Encoding | 'none'>(64 * 1024)

/**
 * The coding that an `Accept-Encoding` header prefers; undefined for none.
 * @param offered of codings with equal weights, the first one is taken
 */
export function preferredEncoding<T extends Encoding>(
  header: string | string[] | undefined,
  offered: readonly T[],
): T | undefined {
  const accepted = header?.toString() ?? ''
  const key = `${offered.join(' ')} ${accepted}`
  const before = known.get(key)
  const coding = before ?? acceptedCoding(accepted, offered) ?? 'none'
  if (before === undefined) known.set(key, coding, heapSize(key) + 50)
  return offered.find((name) => name === coding)
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

/** Compression in libuv's threads. */
export const inCompression = fairShare({ queue: 1000, queueOfParty: 500 })

/** How many answers are compressed while they are sent, in all and of one caller. Each may keep a thread of libuv busy. */
const [STREAMS_MOST, STREAMS_OF_CALLER] = [16, 4]
const streams = tally()

/** Counts an answer that is compressed while it is sent. @returns what ends it; undefined if there are too many */
function beginStream(caller: string): (() => void) | undefined {
  const isFull = streams.total() >= STREAMS_MOST || streams.of(caller) >= STREAMS_OF_CALLER
  return isFull ? undefined : streams.enter(caller)
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
 * text and not for its bytes. While others have too much to compress, the text is sent as it is.
 * @param caller whose turns the compression takes
 * @param kept what is kept of a text that is sent again and again
 */
export function sendEncoded(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  caller: () => string,
  text: () => string | Readable,
  kept?: KeptCodings,
): FastifyReply | Promise<FastifyReply> {
  const encoding = preferredEncoding(headers['accept-encoding'], NAMES)
  const sent = encoding && kept?.get(encoding)
  const body = sent ?? text()
  const isShort = typeof body === 'string' && body.length < SMALL
  if (isShort) return reply.send(body)
  reply.header('vary', 'accept-encoding')
  if (encoding === undefined) return reply.send(body)
  if (Buffer.isBuffer(body)) return asEncoded(reply, encoding).send(body)
  if (typeof body !== 'string') {
    const end = beginStream(caller())
    if (!end) return reply.send(body)
    const coder = CODERS[encoding].parts()
    // Both end when one of them fails; Fastify logs the error of the one that it sends.
    pipeline(body, coder, end)
    return asEncoded(reply, encoding).send(coder)
  }
  if (body.length <= QUICK) {
    const bytes = CODERS[encoding].quick(body)
    kept?.set(encoding, bytes)
    return asEncoded(reply, encoding).send(bytes)
  }
  return inCompression({ user: caller() }, () => CODERS[encoding].whole(body)).then(
    (bytes) => {
      kept?.set(encoding, bytes)
      return asEncoded(reply, encoding).send(bytes)
    },
    (error: unknown) => {
      if (error instanceof ShareFull) return reply.send(body)
      throw error
    },
  )
}

function asEncoded(reply: FastifyReply, encoding: Encoding): FastifyReply {
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('etag', `W/${etag}`)
  return reply.header('content-encoding', encoding)
}

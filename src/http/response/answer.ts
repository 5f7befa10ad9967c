import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type KeptCodings, sendEncoded } from './encodings.ts'
import { methodOf } from './head.ts'
import { inFlightApart, type Transfer } from '../limits/in-flight.ts'
import { answerJson, divideJson, type DividedJson, JsonPart, piecesOf } from './json-parts.ts'
import { type Counted, partyOf } from '../limits/networks.ts'
import type { Conditions, Download } from '../route.ts'
import { nextTurn } from '../../core/runtime/turns.ts'
import { VERSION } from '../../core/runtime/version.ts'

const MB = 1024 * 1024
/** Fewer bytes than this are not counted: the system takes them, and each connection has one such answer. */
const SMALL = 16 * 1024
/** The memory that a response takes if it is sent in chunks, besides the data that it is made of. */
const STREAM_BYTES = 256 * 1024
/** JSON with more characters is sent in chunks. */
const CHUNKED_LENGTH = 64 * 1024

/** The answers that this process has in memory because their clients have not read them yet. */
const answers = inFlightApart(
  {
    users: { total: 96 * MB, share: 32 * MB, waiting: 32 * MB, waitMs: 5000 },
    networks: { total: 96 * MB, share: 32 * MB, waiting: 32 * MB, waitMs: 5000 },
  },
  'answers that are not read yet',
)

/** The strong ETag of a body. Equal bytes have equal tags. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** The ETag that `sendJson` gives an answer. */
export function etagOfAnswer(answer: unknown): string {
  return responseBody(answer).etag
}

/** Whether an `If-None-Match` or `If-Match` header matches an ETag by weak comparison (RFC 9110, section 8.8.3.2). */
export function matches(header: string | undefined, etag: string): boolean {
  if (!header) return false
  if (header.trim() === '*') return true
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

/** The conditional and range headers of a request. A range applies only to GET (RFC 9110, section 14.2). */
export function conditionsOf({ raw }: Pick<FastifyRequest, 'raw'>): Conditions {
  const { headers } = raw
  const ifNoneMatch = headers['if-none-match']
  if (methodOf(raw) !== 'GET') {
    const idempotencyKey = headers['idempotency-key']?.toString()
    return { ifNoneMatch, ifMatch: headers['if-match'], idempotencyKey }
  }
  const ifRange = headers['if-range']
  return { range: headers.range, ifRange: Array.isArray(ifRange) ? ifRange[0] : ifRange, ifNoneMatch }
}

/** How an answer is sent. */
export interface Sending {
  /** Clients may cache the answer for ever. */
  immutable: boolean
  /** The caller whose share of the bytes in flight the answer takes. */
  caller: () => Counted
  /** The media type; by default, that of JSON. */
  type?: string
}

const changing = new WeakSet<object>()

/** Marks an answer that can change, although those of its route never do otherwise. */
export function notForEver<T extends object>(answer: T): T {
  changing.add(answer)
  return answer
}

/** Whether `notForEver` has marked an answer. */
export function canChange(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && changing.has(answer)
}

/** Sends JSON with its ETag, or 304 if the client has the current version. */
export function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: unknown,
  { immutable, caller, type = JSON_TYPE }: Sending,
) {
  const cacheControl = immutable ? 'private, max-age=31536000, immutable' : 'private, no-cache'
  // A change is made by now, so its answer is never refused. It is as small as the change.
  if (request.method !== 'GET')
    return sendEncoded(
      request,
      reply.header('cache-control', cacheControl).type(type),
      () => partyOf(caller()),
      () => answerJson(answer),
    )

  const { etag, bytes, body, kept } = responseBody(answer)
  const headers = { 'cache-control': cacheControl, etag }
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send()
  return whenRoom(reply, caller, bytes, () =>
    sendEncoded(
      request,
      reply.headers(headers).type(type),
      () => partyOf(caller()),
      () => {
        const text = typeof body === 'string' ? body : body()
        return typeof text === 'string' ? text : firstChunk(text, methodOf(request.raw))
      },
      kept,
    ),
  )
}

const JSON_TYPE = 'application/json; charset=utf-8'

interface Body {
  etag: string
  /** The memory that it takes until it is sent. */
  bytes: number
  /** The pieces of a large one. One that is kept makes its text again. */
  body: string | (() => string | Generator<string>)
  /** Of a body that may be sent again. */
  kept?: KeptCodings
}

/** The bodies of frozen responses, which a handler may return more than once. */
const bodies = new WeakMap<object, Body>()

function responseBody(answer: unknown): Body {
  const isKept = typeof answer === 'object' && answer !== null && Object.isFrozen(answer)
  const before = isKept ? bodies.get(answer) : undefined
  if (before) return before
  const made =
    answer instanceof JsonPart && answer.kept ? keptBody(answer.kept) : makeBody(divideJson(answer))
  if (!isKept) return made
  made.kept ??= new Map()
  bodies.set(answer, made)
  return made
}

function keptBody({ text, codings }: NonNullable<JsonPart['kept']>): Body {
  const now = text()
  return { etag: etagOf(now), bytes: 2 * now.length, body: text, kept: codings }
}

function makeBody(json: DividedJson): Body {
  const { texts, parts } = json
  const length = [...texts, ...parts].reduce((sum, one) => sum + one.length, 0)
  const isLazy = parts.some((part) => part.isLazy)
  if (!isLazy && (parts.length === 0 || length <= CHUNKED_LENGTH)) {
    const body = parts.length === 0 ? texts[0]! : [...piecesOf(json)].join('')
    return { etag: etagOf(body), bytes: 2 * length, body }
  }
  const versions = parts.map((part) => etagOf(part.version()))
  // How the same content is written can change with the version of this program.
  const etag = etagOf([VERSION, ...texts, ...versions].join('\0'))
  return { etag, bytes: 2 * length + STREAM_BYTES, body: () => piecesOf(json) }
}

/** The whole text if it is small, else a stream that makes the rest as the client reads. */
function firstChunk(pieces: Generator<string>, method: string): string | Readable {
  let text = ''
  while (text.length <= CHUNKED_LENGTH) {
    const { value, done } = pieces.next()
    if (done) return text
    text += value
  }
  // Only the headers are sent, so there is no use in making the rest.
  if (method === 'HEAD') return Readable.from([])
  return Readable.from(inTurns(text, pieces), { objectMode: false })
}

async function* inTurns(start: string, pieces: Generator<string>): AsyncGenerator<Buffer> {
  let text = start
  for (const piece of pieces) {
    if (text.length >= CHUNKED_LENGTH) {
      yield Buffer.from(text)
      text = ''
      await nextTurn()
    }
    text += piece
  }
  yield Buffer.from(text)
}

/**
 * Sends an answer when there is room for its bytes, which count until the client has read them or is gone.
 * @throws 503 if there is no room in time
 */
export function whenRoom(
  reply: FastifyReply,
  caller: () => Counted,
  bytes: number,
  send: () => FastifyReply | Promise<FastifyReply>,
): FastifyReply | Promise<FastifyReply> {
  return bytes < SMALL ? send() : sendCounted(reply, caller(), bytes, send)
}

async function sendCounted(
  { raw }: FastifyReply,
  caller: Counted,
  bytes: number,
  send: () => FastifyReply | Promise<FastifyReply>,
): Promise<FastifyReply> {
  const release = await answers.take(caller, bytes, leavingFor(raw))
  if (raw.closed) release()
  else raw.once('close', release)
  return send()
}

/** A response while its client reads. */
function leavingFor(raw: ServerResponse): Transfer {
  const { socket } = raw
  const sent = () => (socket ? socket.bytesWritten - socket.writableLength : 0)
  const before = sent()
  return {
    moved: () => sent() - before,
    isWaiting: () => (socket?.writableLength ?? 0) > 0,
    end: () => void raw.destroy(),
  }
}

/** Sends a download. @param caller whose share of the bytes in flight it takes */
export async function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: Download,
  caller: () => Counted,
): Promise<FastifyReply> {
  if (!(body instanceof Readable)) return reply.code(status).headers(headers).send(body)
  if (methodOf(request.raw) === 'HEAD') {
    body.destroy()
    // Without a stream, Fastify would send `content-length: 0`.
    return reply.code(status).headers(headers).send(Readable.from([]))
  }
  try {
    return await whenRoom(reply, caller, STREAM_BYTES, () => reply.code(status).headers(headers).send(body))
  } catch (error) {
    body.destroy()
    throw error
  }
}

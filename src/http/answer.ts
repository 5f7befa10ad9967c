import { hash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Conditions, Download } from './route.ts'

/** The strong ETag of a body. Equal bytes have equal tags. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** Whether an `If-None-Match` header matches an ETag by weak comparison (RFC 9110, section 13.1.2). */
export function matches(header: string | undefined, etag: string): boolean {
  if (!header) return false
  if (header.trim() === '*') return true
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

/** The conditional and range headers of a request. A range applies only to GET (RFC 9110, section 14.2). */
export function conditionsOf({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): Conditions {
  const ifNoneMatch = headers['if-none-match']
  if (method !== 'GET') return { ifNoneMatch }
  const ifRange = headers['if-range']
  return { range: headers.range, ifRange: Array.isArray(ifRange) ? ifRange[0] : ifRange, ifNoneMatch }
}

/** Marks a value that is JSON already. Nobody outside can know it, so no content can contain it. */
const MARK = randomUUID()
/** The values that the answer being made contains, in the order of their marks. */
let marked: string[] = []

/** A value that is JSON already: a whole answer, or any part of one. */
class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): string {
    marked.push(this.text)
    return MARK + (marked.length - 1)
  }
}

/** Lets JSON stand for the value of type `T` in an answer, so that a large one is never parsed. Nothing can be read of it. */
export function fromJson<T>(text: string): T {
  return new JsonText(text) as T
}

/** The JSON of an answer. Parts that are JSON already are taken as they are. */
export function answerJson(answer: unknown): string {
  const json = JSON.stringify(answer)
  if (marked.length === 0) return json
  const texts = marked
  marked = []
  return json.replaceAll(new RegExp(`"${MARK}(\\d+)"`, 'g'), (_, index: string) => texts[Number(index)]!)
}

/** Sends JSON with its ETag, or 304 if the client has the current version. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, answer: unknown, immutable: boolean) {
  reply.header('cache-control', immutable ? 'private, max-age=31536000, immutable' : 'private, no-cache')
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return reply.type('application/json; charset=utf-8').send(answerJson(answer))

  const { body, etag } = bodyOf(answer)
  reply.header('etag', etag)
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

interface Body {
  body: string
  etag: string
}

/** The bodies of frozen responses, which a handler may return more than once. */
const bodies = new WeakMap<object, Body>()

function bodyOf(answer: unknown): Body {
  const isKept = typeof answer === 'object' && answer !== null && Object.isFrozen(answer)
  const before = isKept ? bodies.get(answer) : undefined
  if (before) return before
  const body = answerJson(answer)
  const made = { body, etag: etagOf(body) }
  if (isKept) bodies.set(answer, made)
  return made
}

/** Sends a download. */
export function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: Download,
) {
  if (request.method === 'HEAD' && body instanceof Readable) {
    body.destroy()
    // Without a stream, Fastify would send `content-length: 0`.
    return reply.code(status).headers(headers).send(Readable.from([]))
  }
  return reply.code(status).headers(headers).send(body)
}

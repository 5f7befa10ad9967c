import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Conditions, Download } from './route.ts'

/** Strong validator of a body: equal bytes, equal tag. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** Whether an `If-None-Match` header names this tag (RFC 9110, 13.1.2: compared weakly). */
export function matches(header: string | undefined, etag: string): boolean {
  if (!header) return false
  if (header.trim() === '*') return true
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

/** What a request says of the bytes it wants; a range means something in a GET alone (RFC 9110, 14.2). */
export function conditionsOf({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): Conditions {
  const ifNoneMatch = headers['if-none-match']
  if (method !== 'GET') return { ifNoneMatch }
  const ifRange = headers['if-range']
  return { range: headers.range, ifRange: Array.isArray(ifRange) ? ifRange[0] : ifRange, ifNoneMatch }
}

/** Sends JSON with its ETag, or 304 when the client has it already. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, answer: unknown, immutable: boolean) {
  const body = JSON.stringify(answer)
  reply.header('cache-control', immutable ? 'private, max-age=31536000, immutable' : 'private, no-cache')
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return reply.type('application/json; charset=utf-8').send(body)

  const etag = etagOf(body)
  reply.header('etag', etag)
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

/** Sends bytes as a handler described them. */
export function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: Download,
) {
  if (request.method === 'HEAD' && body instanceof Readable) {
    body.destroy()
    // Without a body at all the server would say that there are no bytes.
    return reply.code(status).headers(headers).send(Readable.from([]))
  }
  return reply.code(status).headers(headers).send(body)
}

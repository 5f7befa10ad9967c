import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Download } from './route.ts'

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
    return reply.code(status).headers(headers).send()
  }
  return reply.code(status).headers(headers).send(body)
}

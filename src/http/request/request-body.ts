import { sizeLimit } from '../../core/text/byte-size.ts'
import type { IncomingMessage } from 'node:http'
import type { FastifyBodyParser, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid, tooLarge } from '../errors.ts'
import { excessOfJson } from './json-shape.ts'
import { inFlightApart, type Transfer } from '../limits/in-flight.ts'
import type { Counted } from '../limits/networks.ts'
import { because } from '../../core/languages/reasons.ts'

const MB = 1024 * 1024
/** Smaller bodies are not counted. */
const SMALL = 16 * 1024
/** The memory that a body takes if it is passed on as it arrives. */
const STREAM_BYTES = 256 * 1024

/** The bodies that this process receives, until their requests are answered. */
const bodies = inFlightApart(
  {
    // A body that waits takes no memory yet.
    users: { total: 128 * MB, share: 32 * MB, little: MB, waiting: Infinity, waitMs: 10_000 },
    // What strangers may send is short.
    networks: { total: 16 * MB, share: 4 * MB, little: MB / 16, waiting: Infinity, waitMs: 10_000 },
  },
  'request bodies',
)

/** How a body is received. */
export interface Receiving {
  /** In bytes, for a body that is collected; undefined for one that is passed on as it arrives. */
  limit: number | undefined
  /** The caller whose share of the bytes in flight the body takes. */
  caller: () => Counted
}

/**
 * Prepares to receive a body: refuses one that is too large, waits for room, and asks for it if the client waits for
 * that (RFC 9110, section 10.1.1). The result is a promise only if there is no room at once.
 * @throws 413, 503
 */
export function admitBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { limit, caller }: Receiving,
): void | Promise<void> {
  const { raw, headers } = request
  const length =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined
  if (length === 0) return
  if (limit !== undefined && length !== undefined && length > limit) throw bodyTooLarge(limit)

  const bytes = limit === undefined ? STREAM_BYTES : (length ?? limit)
  const receive = (release?: () => void) => {
    if (release && reply.raw.closed) return release()
    if (release) reply.raw.once('close', release)
    // Node emits this if nothing arrived for a while.
    raw.once('timeout', () => raw.destroy())
    if (headers.expect !== undefined) reply.raw.writeContinue()
  }
  if (bytes < SMALL) return receive()
  const taken = bodies.take(caller(), bytes, arriving(raw, limit === undefined ? undefined : length))
  return taken instanceof Promise ? taken.then(receive) : receive(taken)
}

/** A body while it arrives. Once it is here, its request is served. */
function arriving(raw: IncomingMessage, size: number | undefined): Transfer {
  const { socket } = raw
  const before = socket.bytesRead
  return {
    size,
    moved: () => socket.bytesRead - before,
    isWaiting: () => !raw.complete && raw.readableLength === 0,
    end(why) {
      // Fastify collects the body and sends this error to the client. A body that is passed on ends with its connection.
      if (raw.listenerCount('error') > 0) raw.emit('error', why)
      else raw.destroy()
    },
  }
}

/** 413 for a JSON body. @param limit in bytes */
export const bodyTooLarge = (limit: number) =>
  tooLarge(because('body-too-large', { limit: sizeLimit(limit) }))

/** From this length on, a body is read in steps, between which other requests have their turn. */
const LONG = 1024 * 1024

/** Reads a JSON body. Some clients send the media type without a body. That is no body, not malformed JSON. */
export function jsonParser(server: FastifyInstance): FastifyBodyParser<string> {
  const parse = server.getDefaultJsonParser('error', 'error')
  return (request, body, done) => {
    if (body === '') return done(null, undefined)
    const next = body.length < LONG ? (step: () => void) => step() : setImmediate
    next(() => {
      const excess = excessOfJson(body)
      if (excess !== undefined) return done(invalid(excess))
      const finish = (error: Error | null, value?: unknown) =>
        next(() => done(error && invalid(because('bad-json')), value))
      next(() => void parse(request, body, finish))
    })
  }
}

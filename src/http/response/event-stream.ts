import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A response of server-sent events (WHATWG HTML, section 9.2) that lasts until the client or the server ends it. */
export interface EventStream {
  /** Sends what `eventBytes` has written. A client with too many unsent bytes is cut off instead. */
  send(bytes: Buffer): void
  /** Resolves when few bytes are unsent, or the stream is closed. */
  room(): Promise<void>
  /** Ends the response. The client sees its end, and connects again. */
  end(): void
  readonly isClosed: boolean
  /** Runs when the server or the client closes the stream. */
  onClose(work: () => void): void
}

/** Whether a response is a stream of events, which lasts as long as its client listens. */
export const isEventStream = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type')).startsWith('text/event-stream')

/** A comment, which clients ignore. It shows both sides, and the proxies between them, that the connection is alive. */
export const HEARTBEAT = Buffer.from(':\n\n')

const ROOM_BYTES = 16 * 1024
const ROOM_WAIT_MS = 50

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'private, no-store, no-transform',
  // For proxies such as nginx, which would collect the events.
  'x-accel-buffering': 'no',
}

/** An event as it is sent. All streams can send the same bytes. @param id what a client sends as `Last-Event-ID` */
export function eventBytes(name: string, data: object, { id, retry }: { id?: number; retry?: number } = {}) {
  const lines = [`event: ${name}`, `data: ${JSON.stringify(data)}`]
  if (id !== undefined) lines.push(`id: ${id}`)
  if (retry !== undefined) lines.push(`retry: ${retry}`)
  return Buffer.from(`${lines.join('\n')}\n\n`)
}

/** Answers a HEAD request with the headers of a stream. */
export function sendNoEvents(reply: FastifyReply): FastifyReply {
  // Without a stream, Fastify would send `content-length: 0`.
  return reply.code(200).headers(HEADERS).send(Readable.from([]))
}

/** Starts a response of events. @param mostUnsent so many bytes may wait for a client that reads slowly */
export function openEventStream(reply: FastifyReply, mostUnsent: number): EventStream {
  const { raw } = reply
  const body = new Readable({ read: () => undefined })
  const unsent = () => body.readableLength + raw.writableLength
  let isEnded = false
  const stream: EventStream = {
    get isClosed() {
      return isEnded || raw.destroyed
    },
    send(bytes) {
      if (stream.isClosed) return
      if (unsent() + bytes.length > mostUnsent) raw.destroy()
      else body.push(bytes)
    },
    async room() {
      while (!stream.isClosed && unsent() > ROOM_BYTES)
        await new Promise((resolve) => setTimeout(resolve, ROOM_WAIT_MS))
    },
    end() {
      if (stream.isClosed) return
      isEnded = true
      body.push(null)
    },
    onClose(work) {
      if (raw.closed) work()
      else raw.once('close', work)
    },
  }
  reply.code(200).headers(HEADERS).send(body)
  return stream
}

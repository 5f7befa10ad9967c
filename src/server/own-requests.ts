import { isEventStream } from '../http/response/event-stream.ts'
import type { FastifyInstance } from 'fastify'
import { isInRanges, parseAddress, parseRanges, type Ranges } from '../http/limits/networks.ts'
import { type OwnProcess, SLOW_MS } from '../http/own-process.ts'

/** Where proxies are. A client elsewhere can send their headers too, which means nothing. */
const PRIVATE = parseRanges('10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, fc00::/7')

/** Notes the slow requests of this copy, and a proxy that it does not trust. */
export function noteOwnRequests(server: FastifyInstance, own: OwnProcess, trusted: Ranges): void {
  server.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.headers['x-forwarded-for'] !== undefined) {
      const address = parseAddress(raw.socket.remoteAddress ?? '')
      if (address && isInRanges(address, PRIVATE) && !isInRanges(address, trusted))
        own.untrustedProxy = address.toString()
    }
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    if (reply.elapsedTime >= SLOW_MS && !isEventStream(reply))
      own.noteRequest({
        at: new Date().toISOString(),
        operation: `${request.method} ${request.routeOptions.url ?? ''}`,
        ms: Math.round(reply.elapsedTime),
        status: reply.statusCode,
      })
    done()
  })
}

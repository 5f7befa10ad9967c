import type { IncomingMessage } from 'node:http'
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { jsonParser } from '../http/request/request-body.ts'
import { openServer } from './connections.ts'
import { discardRest } from './discard.ts'
import { invalid } from '../http/errors.ts'
import { answerHeadAsGet, methodOf } from '../http/response/head.ts'
import type { originReader } from '../http/request/proxies.ts'
import { BODY_LIMIT } from '../http/route.ts'
import type { SiteServer } from '../sites/serve/server.ts'
import { requestPath } from './methods.ts'
import { currentWork } from '../core/runtime/work.ts'
import { answerError, NO_SCHEMA_CHECKS } from './mount.ts'
import type { Parts } from './parts.ts'
import { observeRequests } from './telemetry.ts'
import { listeningInTurns } from './taking-turns.ts'
import { because } from '../core/languages/reasons.ts'

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

/** What the server needs to know of a request before it is routed. */
interface ServerParts extends Pick<Parts, 'config' | 'logTo' | 'telemetry'> {
  newId: () => string
  sites: SiteServer
  originOf: ReturnType<typeof originReader>
  /** A path without its secrets, for the log. */
  masked: (path: string) => string
  /** Counts a request of a client. @throws 429 */
  countClient: (request: FastifyRequest, reply: FastifyReply) => void
}

/** A server without routes: it finds the client of each request, logs the request, and answers errors. */
export function httpServer(parts: ServerParts): FastifyInstance {
  const server = fastify({
    ...loggingOf(parts),
    ...routingOf(parts),
    schemaController: NO_SCHEMA_CHECKS,
    bodyLimit: BODY_LIMIT,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
  })
  // Hooks run in the order in which they are added.
  awaitConnection(server)
  findClient(server, parts.originOf)
  const { traceOf } = observeRequests(server, parts.telemetry ?? {}, parts.masked)
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, jsonParser(server))
  // Hooks that every request passes are synchronous: each promise costs a published page a measurable part of its time.
  server.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply)
    done()
  })
  finishRequests(server, parts.masked, traceOf)
  return server
}

function loggingOf({ config, logTo, newId }: ServerParts) {
  return {
    logger: config.log === 'silent' ? false : loggerOf(config.log, logTo),
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost more than the line that it writes. The lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    genReqId: (request) => requestId(request, newId),
  } satisfies FastifyServerOptions
}

function routingOf({ sites, originOf, countClient }: ServerParts) {
  return {
    serverFactory: (handler) =>
      openServer(
        listeningInTurns(sites.findHosts(handler), {
          organizationOf: sites.organizationOf,
          ipOf: (request) => originOf(request).ip,
        }),
      ),
    // Errors of the router, before there is a route: a URL that is malformed or too long.
    frameworkErrors(error, request, reply) {
      setCommonHeaders(request, reply)
      setClient(request, originOf)
      try {
        countClient(request, reply)
        answerError(error, request, reply)
      } catch (over) {
        answerError(over, request, reply)
      }
    },
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
    // The host of a site never serves the API, and the host of the API serves sites only under /sites/.
    rewriteUrl(request) {
      const path = sites.routeOf(request)
      if (path === request.url) answerHeadAsGet(request)
      return withEncodedPagePath(path)
    },
  } satisfies FastifyServerOptions
}

/** The content of a space, a change request or a revision, a page by its path, and the query. */
const PAGE_BY_PATH =
  /^(\/v1\/spaces\/[^/?]+\/(?:content|revisions\/[^/?]+|change-requests\/[^/?]+\/content)\/path\/)([^?]+)(.*)$/

/** Encodes the slashes in the path of a page, which some clients send as they are. */
function withEncodedPagePath(url: string): string {
  const [, before = '', path = '', query = ''] = PAGE_BY_PATH.exec(url) ?? []
  return path === '' ? url : `${before}${path.replace(/\/$/, '').replaceAll('/', '%2F')}${query}`
}

/**
 * A client can send many requests without waiting for the responses (pipelining). Node receives hundreds of them at
 * once, and their responses have to wait for each other anyway, so each starts when its response has the connection.
 */
function awaitConnection(server: FastifyInstance): void {
  server.addHook('onRequest', (_request, { raw }, done) => {
    if (raw.socket) return done()
    raw.once('socket', () => setImmediate(done))
  })
}

/** Finds the address of the client, which all later hooks need. */
function findClient(server: FastifyInstance, originOf: ServerParts['originOf']): void {
  server.addHook('onRequest', (request, _reply, done) => {
    setClient(request, originOf)
    done(hasTwoHosts(request.raw) ? invalid(because('several-hosts')) : undefined)
  })
}

/**
 * Logs each response and discards the rest of its request. The query is not logged, because it can contain a secret.
 */
function finishRequests(
  server: FastifyInstance,
  masked: ServerParts['masked'],
  traceOf: (request: FastifyRequest) => string | undefined,
): void {
  server.addHook('onResponse', (request, reply, done) => {
    discardRest(request.raw)
    const { headers } = request
    const trace = traceOf(request)
    request.log.info(
      {
        id: request.id,
        method: methodOf(request.raw),
        host: headers.host,
        path: masked(requestPath(request.originalUrl)),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(trace !== undefined && { trace }),
      },
      'request',
    )
    done()
  })
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('referrer-policy', 'no-referrer')
}

/** Replaces the address of the proxy by that of the client. Most requests need no property of their own. */
function setClient(request: FastifyRequest, originOf: ServerParts['originOf']): void {
  const { ip } = originOf(request.raw)
  if (ip !== request.ip) Object.defineProperty(request, 'ip', { value: ip })
}

/** Node keeps the first `Host`. A proxy may have routed or cached the request by another one (RFC 9112, section 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

const isoTime = () => `,"time":"${new Date().toISOString()}"`

function requestId(request: IncomingMessage, newId: () => string): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId()
}

/** The trace of the request or job that writes a line. */
function currentTrace(): { trace?: string } {
  const trace = currentWork()?.traceId
  return trace === undefined ? {} : { trace }
}

function loggerOf(level: string, stream: Parts['logTo']) {
  return { level, base: null, timestamp: isoTime, mixin: currentTrace, ...(stream && { stream }) }
}

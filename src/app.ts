import type { IncomingMessage } from 'node:http'
import cors from '@fastify/cors'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { tokenUse } from './access/tokens.ts'
import { auditActions } from './audit.ts'
import { addressesOf } from './urls.ts'
import { idSource } from './core/id.ts'
import { count, identifyCaller } from './callers.ts'
import type { Blobs } from './blobs/blobs.ts'
import type { Config } from './config.ts'
import type { Database } from './db/schema.ts'
import { answerHealth } from './health.ts'
import { notFound } from './http/errors.ts'
import { guardedFetch } from './http/fetch.ts'
import { attemptLimiter, rateLimiter } from './http/rate.ts'
import type { Route, Services } from './http/route.ts'
import { enqueuer } from './jobs/queue.ts'
import { type Mail, openMail } from './mail/mail.ts'
import { answerError, mountRoutes, NO_SCHEMA_CHECKS } from './mount.ts'
import { describeApi } from './openapi.ts'
import { loadRoutes } from './routes.ts'
import { siteServer } from './sites/serve/server.ts'

const FLUSH_MS = 10_000
const JSON_BODY_LIMIT = 8 * 1024 * 1024
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

export interface Parts {
  config: Config
  db: Database
  blobs: Blobs
  /** The key that signs URLs. */
  secret: string
  clock?: () => Date
  newId?: () => string
  /** Instead of the configured mail server. */
  mail?: Mail | undefined
  /** Receives every response body before it is sent. Tests check it against its schema. */
  inspect?: (route: Route, answer: unknown) => void
}

export interface App {
  server: FastifyInstance
  services: Services
  /** Starts to listen. @returns the URL of the API */
  listen(): Promise<string>
  /** Completes the requests in flight, then closes. */
  close(): Promise<void>
}

/** Builds the server without its command line: the API, the sites and the reference of the API. */
export async function buildApp(parts: Parts): Promise<App> {
  const { config, db, blobs, secret, clock = () => new Date() } = parts
  const routes = await loadRoutes()
  const actions = auditActions(routes)
  const newId = parts.newId ?? idSource(() => clock().getTime())
  let port = config.port
  const url = () => config.url ?? `http://localhost:${port}`
  const sitesHost = () => config.sitesHost ?? `localhost:${port}`

  const services: Services = {
    db,
    blobs,
    urls: addressesOf({ url, sitesHost, secret }),
    now: clock,
    newId,
    fetch: (address, bounds) => guardedFetch(address, { ...bounds, allow: config.fetchAllow }),
    enqueue: enqueuer(newId, clock),
    auditActions: () => actions,
    mail: parts.mail ?? openMail(config.smtp, () => server.log),
    attempt: attemptLimiter(),
    limits: { upload: config.maxUpload, organizations: config.singleOrganization ? 'one' : 'any' },
  }
  const tokens = tokenUse(db)
  const take = rateLimiter(config.rateLimit)
  const metering = { services, tokens, take }
  const sites = siteServer(services, sitesHost)

  const server: FastifyInstance = fastify({
    logger: config.log === 'silent' ? false : { level: config.log, base: null, timestamp: isoTime },
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost more than the line that it writes. The lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    schemaController: NO_SCHEMA_CHECKS,
    bodyLimit: JSON_BODY_LIMIT,
    trustProxy: 'loopback',
    requestIdHeader: false,
    genReqId: (request) => requestId(request, newId),
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    // Errors of the router, before there is a route: a URL that is malformed or too long.
    frameworkErrors(error, request, reply) {
      setCommonHeaders(request, reply)
      try {
        count(request.ip, reply, clock(), take)
        answerError(error, request, reply)
      } catch (over) {
        answerError(over, request, reply)
      }
    },
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
    // The host of a site never serves the API, and the host of the API serves sites only under /sites/.
    rewriteUrl: (request) => sites.routeOf(request),
  })

  setUpServer(server, (request, reply) =>
    identifyCaller(request, reply, !request.headers.authorization, metering),
  )
  await server.register(cors, {
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    origin: config.corsOrigins.includes('*') ? '*' : config.corsOrigins,
    exposedHeaders:
      'etag, location, x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset',
    maxAge: 86_400,
  })
  // Separate counters, so that visitors of sites and callers of the API do not use up each other's allowance.
  await sites.mount(server, (request, reply) => count(`sites ${request.ip}`, reply, clock(), take))
  await describeApi(server, url)
  answerHealth(server, db, blobs)
  // A browser can open the URL that the start prints.
  server.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs'))

  mountRoutes(server, routes, { ...metering, inspect: parts.inspect })
  const flushing = setInterval(
    () => void tokens.flush().catch((error: unknown) => server.log.error(error)),
    FLUSH_MS,
  )
  flushing.unref()

  return {
    server,
    services,
    async listen() {
      await server.listen({ port: config.port, host: config.host })
      const address = server.server.address()
      if (typeof address === 'object' && address) port = address.port
      return url()
    },
    async close() {
      clearInterval(flushing)
      await server.close()
      await tokens.flush()
    },
  }
}

type Meter = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function setUpServer(server: FastifyInstance, meter: Meter): void {
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply))

  // Some clients send the media type of JSON without a body. That is no body, not malformed JSON.
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    void server.getDefaultJsonParser('error', 'error')(request, body as string, done)
  })

  // Hooks that every request passes are synchronous: each promise costs a published page a measurable part of its time.
  server.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply)
    if (!request.is404) return done()
    // The hook has to call back, because returning a promise would cost the requests that have a route.
    // oxlint-disable-next-line promise/no-callback-in-promise
    refuseUnknown(request, reply, meter).then(done, done)
  })
  server.addHook('onResponse', (request, reply, done) => {
    const { method, headers } = request
    // Without the query, which can contain a secret.
    request.log.info(
      {
        id: request.id,
        method,
        host: headers.host,
        path: pathOf(request.originalUrl),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
    done()
  })
}

/** Refuses a request that matches no route before its body is read. @throws 404, 429 */
async function refuseUnknown(request: FastifyRequest, reply: FastifyReply, meter: Meter): Promise<undefined> {
  if (/^\/v1(?:[/?]|$)/.test(request.url)) await meter(request, reply)
  throw notFound(`There is no ${request.method} ${pathOf(request.url)}; /docs lists all operations`)
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('referrer-policy', 'no-referrer')
}

const isoTime = () => `,"time":"${new Date().toISOString()}"`

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url
}

function requestId(request: IncomingMessage, newId: () => string): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId()
}

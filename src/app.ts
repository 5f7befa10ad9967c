import { createServer, type IncomingMessage } from 'node:http'
import cors from '@fastify/cors'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { tokenUse } from './access/tokens.ts'
import { auditActions } from './audit.ts'
import { addressesOf } from './addresses.ts'
import { idSource } from './core/id.ts'
import { count, identify } from './callers.ts'
import type { Blobs } from './blobs/blobs.ts'
import type { Config } from './config.ts'
import type { Database } from './db/schema.ts'
import { errorBody, notFound } from './http/errors.ts'
import { guardedFetch } from './http/fetch.ts'
import { attemptLimiter, rateLimiter } from './http/rate.ts'
import type { Route, Services } from './http/route.ts'
import { enqueuer } from './jobs/queue.ts'
import { type Mail, openMail } from './mail/mail.ts'
import { answerError, mount } from './mount.ts'
import { describeApi } from './openapi.ts'
import { loadRoutes } from './routes.ts'
import { siteServer } from './sites/server.ts'

const FLUSH_MS = 10_000
const JSON_BODY_LIMIT = 8 * 1024 * 1024
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

export interface Parts {
  config: Config
  db: Database
  blobs: Blobs
  /** Signs addresses. */
  secret: string
  clock?: () => Date
  newId?: () => string
  /** Instead of the configured mail server. */
  mail?: Mail | undefined
  /** Sees every answer before it is sent; the tests check it against its schema. */
  inspect?: (route: Route, answer: unknown) => void
}

export interface App {
  server: FastifyInstance
  services: Services
  /** Starts to answer. @returns the address of the API */
  listen(): Promise<string>
  /** Finishes what is in flight, then stops answering. */
  close(): Promise<void>
}

/** The whole program but its command line: the API, the sites, the documentation of the API. Tests run this too. */
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
    at: addressesOf({ url, sitesHost, secret }),
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
  const sites = siteServer(services, sitesHost, () => server.log)

  const server: FastifyInstance = fastify({
    logger: config.log === 'silent' ? false : { level: config.log, base: null, timestamp: isoTime },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'id' }),
    bodyLimit: JSON_BODY_LIMIT,
    trustProxy: 'loopback',
    requestIdHeader: false,
    genReqId: (request) => requestId(request, newId),
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    // What the router refuses before there is a route: a malformed address, one that is too long.
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
    // A site's host never reaches the API, and the API's host reaches sites only under /sites/.
    serverFactory: (handle) =>
      createServer((request, response) =>
        sites.owns(request) ? sites.answer(request, response) : handle(request, response),
      ),
  })

  setUpServer(server, (request, reply) => identify(request, reply, !request.headers.authorization, metering))
  await server.register(cors, {
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    origin: config.corsOrigins.includes('*') ? '*' : config.corsOrigins,
    exposedHeaders: [
      'etag',
      'location',
      'x-request-id',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
    ],
    maxAge: 86_400,
  })
  await describeApi(server, url)
  answerHealth(server, db)
  // The address that the start prints shows something.
  server.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs'))

  for (const { name, route } of routes) {
    mount(server, route, name, { ...metering, inspect: parts.inspect })
  }
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
      await sites.close()
      await tokens.flush()
    },
  }
}

type Meter = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

function setUpServer(server: FastifyInstance, meter: Meter): void {
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply))

  // Clients send the media type of JSON with nothing after it; that is no body, not a broken one.
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    void server.getDefaultJsonParser('error', 'error')(request, body as string, done)
  })

  server.addHook('onRequest', async (request, reply) => {
    setCommonHeaders(request, reply)
    if (!request.is404) return
    // Here and not in a handler, which would be reached after the body was read.
    if (/^\/v1(?:[/?]|$)/.test(request.url)) await meter(request, reply)
    throw notFound(`There is no ${request.method} ${pathOf(request.url)}; see /docs for what there is`)
  })
  server.addHook('onResponse', async (request, reply) => {
    const { method } = request
    // The path alone: a query may hold a secret.
    request.log.info(
      {
        method,
        path: pathOf(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
  })
}

/** `/livez`: the process runs. `/readyz`: it can answer, because the database does. */
function answerHealth(server: FastifyInstance, db: Database): void {
  const hidden = { schema: { hide: true } as object }
  server.get('/livez', hidden, async () => ({ status: 'live' }))
  server.get('/readyz', hidden, async (_request, reply) => {
    try {
      await db.read.selectFrom('instance').select('name').limit(1).execute()
      return { status: 'ready' }
    } catch {
      return reply.code(503).send(errorBody(503, 'The database does not answer'))
    }
  })
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

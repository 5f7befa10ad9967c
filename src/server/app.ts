import { join } from 'node:path'
import type { IncomingMessage } from 'node:http'
import cors from '@fastify/cors'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { signedDevices } from '../access/devices.ts'
import { lastUses } from '../access/last-uses.ts'
import type { Keyring } from '../access/keyring.ts'
import { sealedBy } from '../access/sealing.ts'
import { auditActions } from '../effects/audit.ts'
import { addressesOf } from '../installation/urls.ts'
import { limitPages } from '../core/content/limits.ts'
import { limitBooks } from '../books/limits.ts'
import { limitArchives } from '../core/repository/archive-limits.ts'
import { limitPageBytes } from '../core/document/limits.ts'
import { idSource } from '../core/id.ts'
import { count, identifyCaller } from './callers.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { Config } from '../installation/config.ts'
import { bundleConsole } from '../console/build/bundle.ts'
import { type AppFiles, builtOnce, consoleFiles } from '../console/serve/app.ts'
import { mountConsole } from '../console/serve/server.ts'
import type { Database } from '../db/schema.ts'
import { isBusy } from '../db/errors.ts'
import { invalid } from '../http/errors.ts'
import { jsonParser } from '../http/body.ts'
import { openServer } from '../http/connections.ts'
import { resolveTxt } from '../http/dns.ts'
import { discardRest } from '../http/discard.ts'
import { answerHealth } from './health.ts'
import { guardedFetch } from '../http/fetch.ts'
import { answerHeadAsGet, methodOf } from '../http/head.ts'
import { clientOf } from '../http/networks.ts'
import { pathMasker } from '../http/secret-paths.ts'
import type { Lookup } from '../http/reach.ts'
import { originReader } from '../http/proxies.ts'
import { attemptLimiter } from '../http/attempts.ts'
import { sharedRates } from '../http/rate.ts'
import { sharedCounts } from '../http/shared-counts.ts'
import { runningImports } from '../imports/progress.ts'
import { BODY_LIMIT, type Route, type Services } from '../http/route.ts'
import { enqueuer } from '../jobs/queue.ts'
import { type Mail, openMail } from '../mail/mail.ts'
import { type Listeners, type ListeningLimits, listenersOf } from '../effects/streams.ts'
import { insightRecorder } from '../model/sites/insight-recorder.ts'
import { answerError, mountRoutes, NO_SCHEMA_CHECKS, operationsForPages } from './mount.ts'
import { collectMethods, listMethods, type Meter, requestPath, refuseUnknown } from './methods.ts'
import { describeApi } from './openapi.ts'
import { loadRoutes, loadScimRoutes } from './routes.ts'
import { mountSso } from '../sso/endpoints.ts'
import { visitorKey } from '../sites/serve/responses.ts'
import { siteServer } from '../sites/serve/server.ts'
import { listeningInTurns } from './taking-turns.ts'

const FLUSH_MS = 10_000
const EXCHANGE_MS = 1_000
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

export interface Parts {
  config: Config
  db: Database
  blobs: Blobs
  /** The secrets that seal and sign. */
  keyring: Keyring
  clock?: () => Date
  newId?: () => string
  /** Instead of the DNS of the machine. */
  resolveTxt?: Services['resolveTxt'] | undefined
  /** Instead of the resolver of the machine, for the hosts of outgoing requests. */
  lookup?: Lookup | undefined
  /** Instead of the configured mail server. */
  mail?: Mail | undefined
  /** Instead of the bounds of the streams of events. */
  listening?: Partial<ListeningLimits> | undefined
  /** Instead of the console that is built once. */
  console?: AppFiles | undefined
  /** Gets the lines of the log, instead of standard output. */
  logTo?: { write(line: string): void } | undefined
  /** Receives every response body before it is sent. Tests check it against its schema. */
  inspect?: ((route: Route, answer: unknown) => void) | undefined
}

export interface App {
  server: FastifyInstance
  services: Services
  listeners: Listeners
  /** Starts to listen. @returns the URL of the API */
  listen(): Promise<string>
  /** Builds the console before somebody asks for it. */
  startConsole(): void
  /** Completes the requests in flight, then closes. */
  close(): Promise<void>
}

/** Builds the server without its command line: the API, the sites and the reference of the API. */
export async function buildApp(parts: Parts): Promise<App> {
  const { config, db, blobs, keyring, clock = () => new Date() } = parts
  limitPageBytes(config.maxPage)
  limitPages(config.maxPages)
  limitArchives(config.archives)
  limitBooks({ memoryMb: config.books.memoryMb, totalMs: config.books.seconds * 1000 })
  const routes = [...(await loadRoutes()), ...(await loadScimRoutes())]
  const actions = auditActions(routes)
  const newId = parts.newId ?? idSource(() => clock().getTime())
  let port = config.port
  const url = () => config.url ?? `http://localhost:${port}`
  const lookup = parts.lookup ? { lookup: parts.lookup } : {}
  const sitesHost = () => config.sitesHost ?? `localhost:${port}`

  const listeners = listenersOf({ db, now: clock, newId }, parts.listening, (err) =>
    server.log.error({ err }, 'the events of spaces could not be read'),
  )

  const counts = sharedCounts(db, () => keyring.secrets()[0])
  const rates = sharedRates(counts, clock)

  const services: Services = {
    db,
    blobs,
    urls: addressesOf({ url, sitesHost, keyring }),
    now: clock,
    newId,
    fetch: (address, bounds, outgoing) =>
      guardedFetch(address, { ...bounds, allow: config.fetchAllow, ...lookup }, outgoing),
    enqueue: enqueuer(newId, clock),
    tellListeners: listeners.tell,
    auditActions: () => actions,
    mail: parts.mail ?? openMail(config.smtp, () => server.log),
    attempt: attemptLimiter(counts),
    devices: signedDevices(keyring),
    sessionTimes: config.sessionTimes,
    sealing: sealedBy(keyring),
    insights: insightRecorder(db, { now: clock, newId, days: config.insightDays, rates }),
    imports: runningImports(db, { now: clock, newId }, (err) =>
      server.log.warn({ err }, 'the end of an import could not be recorded'),
    ),
    rates,
    resolveTxt: parts.resolveTxt ?? resolveTxt,
    limits: {
      upload: config.maxUpload,
      uploadQuota: config.uploadQuota,
      insightDays: config.insightDays,
      openapiHours: config.openapiHours,
      organizations: config.singleOrganization ? 'one' : config.organizationsPerUser,
    },
  }
  const tokens = lastUses(db, 'token')
  const scimTokens = lastUses(db, 'scimToken')
  const sessions = lastUses(db, 'session')
  const take = rates.limiter('requests', config.rateLimit)
  const metering = { services, tokens, scimTokens, sessions, take }
  const originOf = originReader(config.trustedProxies, config.forwardingHeader)
  const sites = siteServer(services, sitesHost, (request) => originOf(request).host)

  const server: FastifyInstance = fastify({
    logger: config.log === 'silent' ? false : loggerOf(config.log, parts.logTo),
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost more than the line that it writes. The lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    schemaController: NO_SCHEMA_CHECKS,
    bodyLimit: BODY_LIMIT,
    requestIdHeader: false,
    genReqId: (request) => requestId(request, newId),
    return503OnClosing: true,
    forceCloseConnections: 'idle',
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
        count(clientOf(request.ip), reply, clock(), take)
        answerError(error, request, reply)
      } catch (over) {
        answerError(over, request, reply)
      }
    },
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
    // The host of a site never serves the API, and the host of the API serves sites only under /sites/.
    rewriteUrl(request) {
      const path = sites.routeOf(request)
      if (path === request.url) answerHeadAsGet(request)
      return path
    },
  })

  // A client can send many requests without waiting for the responses (pipelining). Node receives hundreds of them at
  // once, and their responses have to wait for each other anyway, so each starts when its response has the connection.
  server.addHook('onRequest', (_request, { raw }, done) => {
    if (raw.socket) return done()
    raw.once('socket', () => setImmediate(done))
  })
  // Before all other hooks, which need the address of the client.
  server.addHook('onRequest', (request, _reply, done) => {
    setClient(request, originOf)
    done(hasTwoHosts(request.raw) ? invalid('Send one "Host" header; the request has several') : undefined)
  })
  const methodsOf = collectMethods(server)
  const meter: Meter = (request, reply) =>
    identifyCaller(request, reply, !request.headers.authorization, metering)
  setUpServer(server, { masked: pathMasker(routes.map(({ route }) => route)) })
  listMethods(server, meter, methodsOf)
  await server.register(cors, {
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    origin: config.corsOrigins.includes('*') ? '*' : config.corsOrigins,
    exposedHeaders:
      'allow, etag, location, retry-after, x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset',
    maxAge: 86_400,
  })
  // After the headers for other origins, which may read the refusal too.
  refuseUnknown(server, meter, methodsOf)
  await sites.mount(server, (request, reply) => count(visitorKey(request), reply, clock(), take))
  await describeApi(server, url)
  answerHealth(server, db, blobs)
  const consoleApp =
    parts.console ??
    consoleFiles(
      builtOnce(
        () => bundleConsole(join(config.data, 'console')),
        (error) => server.log.error({ err: error }, 'the console cannot be built'),
      ),
    )
  await mountConsole(server, {
    services,
    identify: (request, reply) => identifyCaller(request, reply, 'knows members', metering),
    hostOf: ({ raw }) => originOf(raw).host,
    operate: operationsForPages(routes, services),
    app: consoleApp,
  })
  await mountSso(server, services, (request, reply) => count(clientOf(request.ip), reply, clock(), take))
  // A browser can open the URL that the start prints.
  server.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/app'))

  mountRoutes(server, routes, { ...metering, listeners, inspect: parts.inspect })
  const flush = () =>
    Promise.all([tokens, scimTokens, sessions, services.insights].map((one) => one.flush())).catch(
      (error: unknown) => {
        if (!isBusy(error)) return server.log.error(error)
        server.log.warn(
          'The database is locked, so the times at which tokens and sessions were used, and the events of visitors, are written later',
        )
      },
    )
  const flushing = setInterval(() => void flush(), FLUSH_MS)
  flushing.unref()

  // Without the database, each copy goes on counting for itself.
  let isApart = false
  const exchange = async () => {
    try {
      await Promise.all([rates.exchange(), services.imports.publish()])
      isApart = false
    } catch (err) {
      if (!isApart)
        server.log.warn(
          { err },
          'this copy cannot tell the others what it has counted and imports; it will retry',
        )
      isApart = true
    }
  }
  const exchanging = setInterval(() => void exchange(), EXCHANGE_MS)
  exchanging.unref()

  return {
    server,
    services,
    listeners,
    startConsole: () => consoleApp.start(),
    async listen() {
      await server.listen({ port: config.port, host: config.host })
      const address = server.server.address()
      if (typeof address === 'object' && address) port = address.port
      return url()
    },
    async close() {
      clearInterval(flushing)
      clearInterval(exchanging)
      await listeners.stop()
      await server.close()
      await Promise.all([flush(), exchange()])
    },
  }
}

function loggerOf(level: string, stream: Parts['logTo']) {
  return { level, base: null, timestamp: isoTime, ...(stream && { stream }) }
}

interface ServerParts {
  /** A path without its secrets, for the log. */
  masked: (path: string) => string
}

function setUpServer(server: FastifyInstance, { masked }: ServerParts): void {
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply))

  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, jsonParser(server))

  // Hooks that every request passes are synchronous: each promise costs a published page a measurable part of its time.
  server.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply)
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    discardRest(request.raw)
    const { headers } = request
    // Without the query, which can contain a secret.
    request.log.info(
      {
        id: request.id,
        method: methodOf(request.raw),
        host: headers.host,
        path: masked(requestPath(request.originalUrl)),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
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
function setClient(request: FastifyRequest, originOf: ReturnType<typeof originReader>): void {
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

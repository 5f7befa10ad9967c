import { useRenderer } from '../model/revalidation.ts'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { useFontFolder } from '../books/font-folder.ts'
import { limitBooks } from '../books/limits.ts'
import { openConsole } from '../console/serve/built.ts'
import { type AppFiles, builtOnce, consoleFiles } from '../console/serve/app.ts'
import { mountConsole } from '../console/serve/server.ts'
import { limitPages } from '../core/content/limits.ts'
import { limitPageBytes } from '../core/document/shape/limits.ts'
import { limitArchives } from '../core/repository/archive-limits.ts'
import type { Listeners } from '../effects/streams.ts'
import { clientOf, type Counted } from '../http/limits/networks.ts'
import { originReader } from '../http/request/proxies.ts'
import type { Services } from '../http/route.ts'
import { pathMasker } from '../http/request/secret-paths.ts'
import type { Config } from '../installation/config.ts'
import { visitorKey } from '../sites/serve/responses.ts'
import { type SiteServer, siteServer } from '../sites/serve/server.ts'
import { mountGit } from '../git/server.ts'
import { mountWebhooks } from '../sync/webhook-endpoint.ts'
import { type CountRequest, mountSso } from '../sso/endpoints.ts'
import { count, identifyCaller } from './callers.ts'
import { exchanging, flushing } from './collected.ts'
import { answerHealth } from './health.ts'
import { httpServer } from './http-server.ts'
import { collectMethods, listMethods, type Meter, refuseUnknown } from './methods.ts'
import { type Mounting, mountRoutes, operationsForPages } from './mount.ts'
import { describeApi } from './openapi.ts'
import { type MetricsEndpoint, metricsEndpoint } from './metrics.ts'
import type { Parts } from './parts.ts'
import { noteOwnRequests } from './own-requests.ts'
import type { WatchedMail } from './watched-mail.ts'
import { loadRoutes, loadScimRoutes, type NamedRoute } from './routes.ts'
import { inTurnsOfCaller } from './taking-turns.ts'
import { openMetering, openServices } from './services.ts'

export interface App {
  server: FastifyInstance
  services: Services
  listeners: Listeners
  /** Starts to listen. @returns the URL of the API */
  listen(): Promise<string>
  /** The address at which a program on this machine reaches the server, while it listens: `http://127.0.0.1:3000`. */
  address(): string
  /** The URL of the metrics, if they have an address for them alone, once it listens. */
  metricsUrl(): string | undefined
  /** Builds the console before somebody asks for it. */
  startConsole(): void
  /** Completes the requests in flight, then closes. */
  close(): Promise<void>
}

/** Builds the server without its command line: the API, the sites and the reference of the API. */
export async function buildApp(parts: Parts): Promise<App> {
  const { config } = parts
  limitContent(config)
  const routes = [...(await loadRoutes()), ...(await loadScimRoutes())]
  let { port } = config
  const url = () => config.url ?? `http://localhost:${port}`
  const sitesHost = () => config.sitesHost ?? `localhost:${port}`
  const log = (): FastifyBaseLogger => server.log

  const { services, listeners, mail } = openServices(parts, { routes, url, sitesHost, log })
  const metering = openMetering(services, config)
  const countBy = (keyOf: (request: FastifyRequest) => Counted): CountRequest => {
    const { take } = metering
    return (request, reply) => count(keyOf(request), reply, services.now(), take)
  }
  const countClient = countBy(({ ip }) => clientOf(ip))
  const originOf = originReader(config.trustedProxies, config.forwardingHeader)
  const sites = siteServer(services, sitesHost, (request) => originOf(request).host)
  const masked = pathMasker(routes.map(({ route }) => route))
  const { newId } = services
  const server = httpServer({ ...parts, newId, sites, originOf, masked, countClient })
  parts.telemetry?.attach(server.log)
  const metrics = metricsEndpoint(parts, { services, listeners })
  noteOwnRequests(server, services.own, config.trustedProxies)
  const app = parts.console ?? builtConsole(config, log)
  await mountAll(server, {
    config,
    routes,
    url,
    sites,
    originOf,
    app,
    metrics,
    mail,
    countClient,
    countVisitor: countBy(visitorKey),
    mounting: { ...metering, listeners, inspect: parts.inspect },
  })
  const repeated = [flushing(metering, server.log), exchanging(metering, server.log)]

  return {
    server,
    services,
    listeners,
    metricsUrl: () => metrics?.url(),
    startConsole: () => app.start(),
    async listen() {
      await metrics?.listen()
      try {
        await server.listen({ port: config.port, host: config.host })
      } catch (error) {
        // An address that still listens would keep the process.
        await metrics?.close()
        throw error
      }
      const address = server.server.address()
      if (typeof address === 'object' && address) port = address.port
      return url()
    },
    address: () => localAddress(server.server.address() as AddressInfo),
    async close() {
      for (const work of repeated) work.stop()
      await listeners.stop()
      await metrics?.close()
      await server.close()
      await Promise.all(repeated.map((work) => work.run()))
    },
  }
}

/** A server that listens at every address is reached at that of the machine itself. */
function localAddress({ address, port }: AddressInfo): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Sets the limits that hold for the whole process. */
function limitContent({ maxPage, maxPages, archives, books, renderer }: Config): void {
  limitPageBytes(maxPage)
  limitPages(maxPages)
  useRenderer(renderer !== undefined)
  limitArchives(archives)
  useFontFolder(books.fontFolder)
  limitBooks({ memoryMb: books.memoryMb, totalMs: books.seconds * 1000 })
}

/** The console, which is built when somebody first asks for it. */
function builtConsole({ data }: Config, log: () => FastifyBaseLogger): AppFiles {
  const build = () => openConsole(join(data, 'console'))
  return consoleFiles(builtOnce(build, (err) => log().error({ err }, 'the console cannot be built')))
}

/** What the parts of a server need to be added to it. */
interface AppParts {
  config: Config
  routes: NamedRoute[]
  /** The URL of the API. */
  url: () => string
  sites: SiteServer
  originOf: ReturnType<typeof originReader>
  app: AppFiles
  metrics: MetricsEndpoint | undefined
  mail: WatchedMail
  countClient: CountRequest
  countVisitor: CountRequest
  mounting: Mounting
}

/** Adds the parts to the server. Hooks run in the order in which they are added, so the order matters. */
async function mountAll(server: FastifyInstance, parts: AppParts): Promise<void> {
  const { config, routes, url, sites, originOf, app, metrics, mail, countClient, countVisitor, mounting } =
    parts
  const { services } = mounting
  const methodsOf = collectMethods(server)
  const meter: Meter = (request, reply) =>
    identifyCaller(request, reply, !request.headers.authorization, mounting)
  listMethods(server, meter, methodsOf)
  await server.register(cors, crossOrigin(config))
  // After the headers for other origins, which may read the refusal too.
  refuseUnknown(server, meter, methodsOf)
  await sites.mount(server, countVisitor)
  await describeApi(server, routes, url)
  answerHealth(server, { db: services.db, blobs: services.blobs, ...(mail.configured && { mail }) })
  metrics?.mount(server)
  const operate = operationsForPages(routes, services)
  await mountConsole(server, {
    services,
    identify: (request, reply) => identifyCaller(request, reply, 'knows members', mounting),
    hostOf: ({ raw }) => originOf(raw).host,
    operate,
    app,
  })
  await mountSso(server, services, countClient)
  await mountGit(server, {
    services,
    folder: join(config.data, 'git'),
    identify: (request, reply) => identifyCaller(request, reply, false, mounting),
    inTurns: inTurnsOfCaller,
    operate,
    countClient,
  })
  await mountWebhooks(server, services, countClient)
  // A browser can open the URL that the start prints.
  server.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/app'))
  mountRoutes(server, routes, mounting)
}

/** Which other origins may use the API from a browser, and what they may read of a response. */
function crossOrigin({ corsOrigins }: Config): FastifyCorsOptions {
  return {
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    origin: corsOrigins.includes('*') ? '*' : corsOrigins,
    exposedHeaders:
      'allow, etag, idempotent-replayed, location, retry-after, x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset',
    maxAge: 86_400,
  }
}

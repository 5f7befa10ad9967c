import { METHODS, type IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { heapSize } from '../../core/heap-size.ts'
import { lru } from '../../core/lru.ts'
import { conditionsOf, sendDownload } from '../../http/answer.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { OUTAGE, outageOf } from '../../http/outage.ts'
import type { Services } from '../../http/route.ts'
import { filesOf } from '../../model/content/content.ts'
import { needRevision } from '../../model/content/commit.ts'
import { fileDownload } from '../../model/content/download.ts'
import { asset, ASSET_BASE, ASSET_CACHE_CONTROL } from '../assets/assets.ts'
import { createHighlighter } from '../highlight/highlight.ts'
import { renderError } from '../render/page.ts'
import type { Tools } from './compose.ts'
import { fileAddress } from './content.ts'
import { mapsOf, pageHeaders, respondToPath } from './pages.ts'
import { chooseVariant, decodePath, findSite, listOpenSites, type OpenSite } from './resolve.ts'
import { redirectResponse, sendResponse, type SiteResponse, textResponse, weightOf } from './responses.ts'
import { robots } from './texts.ts'

const CACHE_BYTES = 48 * 1024 * 1024
const HOSTS_BYTES = 1024 * 1024
/** The path of the sites on the API's own host, for installations without a host name for each organization. */
const SITES_PATH = '/sites/'
/**
 * The one route of all sites. The router never sees the addresses of a site, because it refuses some that are a page
 * "not found" on a site, such as `/%zz`.
 */
const ROUTE = '/~site'
const PLAIN = 'text/plain; charset=utf-8'

/** The published sites, as a part of the server that also has the API. */
export interface SiteServer {
  /** The URL to route a request by: the route of the sites, or the URL of the request if it is for the API. */
  routeOf(request: IncomingMessage): string
  /** Adds the route of the sites to the server. @param count counts a request, and throws 429 over the limit */
  mount(server: FastifyInstance, count: (request: FastifyRequest, reply: FastifyReply) => void): Promise<void>
}

/**
 * Serves published sites on the host names of their organizations, or under a path of the API's host.
 * @param hostOf the host that the client of a request asked for
 */
export function siteServer(
  services: Services,
  sitesHost: () => string,
  hostOf: (request: IncomingMessage) => string,
): SiteServer {
  const { urls } = services
  const { read: db } = services.db
  const highlighter = createHighlighter()
  const tools: Tools = { db, urls, highlighter }
  const cache = lru<SiteResponse>(CACHE_BYTES)
  const hosts = lru<string>(HOSTS_BYTES)
  const rendering = new Map<string, Promise<SiteResponse>>()

  /** The organization's host name in the host of a request; empty on the API's own host. */
  function hostnameOf(request: IncomingMessage): string {
    const header = hostOf(request)
    const known = hosts.get(header)
    if (known !== undefined) return known
    const host = withoutPort(header)
    const suffix = `.${withoutPort(sitesHost())}`
    const isSite = host.endsWith(suffix) && host !== withoutPort(new URL(urls.api('')).host)
    const hostname = isSite ? host.slice(0, -suffix.length) : ''
    hosts.set(header, hostname, heapSize(hostname))
    return hostname
  }

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = request.originalUrl.split('?', 1)[0] ?? '/'
    if (path.startsWith(ASSET_BASE)) return sendResponse(request, reply, await respondWithAsset(path))

    const [hostname, base] = placeOf(hostnameOf(request.raw), path)
    const [first = '', ...segments] = path.slice(base.length).split('/')
    if (first === '') return sendResponse(request, reply, await respondToHost(hostname, base))
    if (first === 'robots.txt' && segments.length === 0)
      return sendResponse(request, reply, await textResponse(200, PLAIN, robots(await hostMaps(hostname))))

    const basename = decodePath(first)
    const open = await findSite(db, hostname, basename, `${base}${encodeURIComponent(basename)}/`)
    if (!open) throw noSite()
    if (segments.length === 0) return sendResponse(request, reply, redirectResponse(open.base))
    const within = segments.join('/')
    if (within.includes('~/files/')) return sendFile(open, within, request, reply)
    return sendResponse(request, reply, await cachedResponse(open, within))
  }

  /** A response from the cache while nothing changed. Concurrent requests for one page render it once. */
  async function cachedResponse(open: OpenSite, path: string): Promise<SiteResponse> {
    const key = `${open.version}/${path}`
    const cached = cache.get(key)
    if (cached) return cached
    const running = rendering.get(key)
    if (running) return running

    const work = respondToPath(tools, open, path).finally(() => rendering.delete(key))
    rendering.set(key, work)
    const response = await work
    // A client can make up addresses that do not exist. They must not evict the pages that do.
    if (response.status === 200 && !response.partial) cache.set(key, response, weightOf(response))
    return response
  }

  async function respondToHost(hostname: string, base: string): Promise<SiteResponse> {
    const sites = await listOpenSites(db, hostname)
    const content = sites[0]?.defaultContent
    const chosen = content ? (JSON.parse(content) as { site: string }).site : undefined
    const site = sites.find(({ id }) => id === chosen) ?? sites[0]
    if (!site) throw noSite()
    return redirectResponse(`${base}${encodeURIComponent(site.basename)}/`, false)
  }

  async function hostMaps(hostname: string): Promise<string[]> {
    const sites = await listOpenSites(db, hostname)
    return mapsOf(
      tools,
      sites.map((site) => ({
        site: { ...site, icon: null, organizationId: '' },
        organizationHostname: hostname,
      })),
    )
  }

  async function sendFile(open: OpenSite, path: string, request: FastifyRequest, reply: FastifyReply) {
    const chosen = chooseVariant(open, path)
    const [, fileId = '', hash = '', name = ''] =
      /^~\/files\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(chosen?.rest ?? '') ?? []
    const revision = chosen && (await needRevision(db, chosen.variant.spaceId, chosen.variant.revisionId))
    const file = revision && (await filesOf(db, revision)).get(fileId)
    if (!chosen || !file) throw noFile()
    // Clients cache a file for a year, so each version has its own address. An old address redirects to the new one.
    const address = fileAddress({ base: chosen.base }, file)
    if (!address.endsWith(`/${hash}/${name}`))
      return sendResponse(request, reply, redirectResponse(address, false))
    return sendDownload(request, reply, await fileDownload(services.blobs, file, conditionsOf(request)))
  }

  return {
    routeOf: (request) =>
      (hostnameOf(request) !== '' || isSitePath(request.url) ? ROUTE : request.url) ?? '/',
    async mount(server, count) {
      // Every method that Node accepts, so that each of the others gets 405.
      for (const method of METHODS)
        if (!server.supportedMethods.includes(method)) server.addHttpMethod(method)
      await server.register(async (scope) => {
        scope.setErrorHandler((error, request, reply) => sendFailure(error, request, reply))
        scope.route({
          method: scope.supportedMethods,
          url: ROUTE,
          schema: { hide: true },
          // CORS is for the clients of the API.
          config: { cors: false } as object,
          onRequest: (request, reply, done) => {
            count(request, reply)
            // Only `routeOf` may choose this route.
            if (request.url === request.originalUrl) throw noSite()
            if (request.method === 'GET' || request.method === 'HEAD') return done()
            reply.header('allow', 'GET, HEAD')
            throw new ApiError(405, `Sites are read-only: send GET or HEAD instead of ${request.method}`)
          },
          handler: respond,
        })
      })
    },
  }
}

const noSite = () => notFound('There is no site at this address')
const noFile = () => notFound('There is no file at this address')

function isSitePath(url = ''): boolean {
  return url.startsWith(SITES_PATH) || url.startsWith(ASSET_BASE)
}

/** The organization's host name, and the path at which its sites begin: `/`, or `/sites/<hostname>/` on the API's host. */
function placeOf(hostname: string, path: string): [hostname: string, base: string] {
  if (hostname !== '') return [hostname, '/']
  const [named = ''] = path.slice(SITES_PATH.length).split('/', 1)
  return [named, `${SITES_PATH}${named}/`]
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

/** The assets do not change while the server runs, so each is compressed once. */
const assets = new Map<string, SiteResponse>()

async function respondWithAsset(path: string): Promise<SiteResponse> {
  const known = assets.get(path)
  if (known) return known
  const found = asset(path)
  if (!found) throw noFile()

  const { bytes, contentType } = found
  const headers = {
    'cache-control': ASSET_CACHE_CONTROL,
    'access-control-allow-origin': '*',
    ...found.headers,
  }
  const response = contentType.startsWith('font/')
    ? { status: 200, headers: { 'content-type': contentType, ...headers }, body: { identity: bytes } }
    : await textResponse(200, contentType, bytes.toString(), headers)
  assets.set(path, response)
  return response
}

/** Sends an error as text, and an unexpected one as a page that names the request. */
async function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = error instanceof ApiError ? error : outageOf(error)
  if (known !== error) request.log.error({ id: request.id, err: error }, known ? OUTAGE : 'unexpected error')
  if (known) {
    if (known.retryAfter !== undefined) reply.header('retry-after', known.retryAfter)
    return sendResponse(request, reply, await textResponse(known.status, PLAIN, `${known.message}\n`))
  }
  const site = { language: 'en', title: 'Documentation', home: '/', tree: [], variants: [] }
  const page = renderError(site, request.id)
  return sendResponse(
    request,
    reply,
    await textResponse(500, 'text/html; charset=utf-8', page, pageHeaders()),
  )
}

import { METHODS, type IncomingMessage, type RequestListener } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOpenToAll } from '../../access/visitors.ts'
import { lru } from '../../core/lru.ts'
import { isAsElsewhere } from '../../model/sites/published/elsewhere.ts'
import { ASSET_BASE, ASSETS_OF_SITE, SITES_PATH } from '../../core/site-paths.ts'
import { sharing } from '../../core/sharing.ts'
import { ApiError, missing } from '../../http/errors.ts'
import { leaving } from '../../http/leaving.ts'
import { OUTAGE, outageOf } from '../../http/outage.ts'
import type { Services } from '../../http/route.ts'
import { queryIn } from '../../http/query.ts'
import { asset, ASSET_CACHE_CONTROL } from '../assets/assets.ts'
import { codeHighlighter } from '../../highlight/highlight.ts'
import { renderError } from '../render/page.ts'
import { isBookPath, sendBook } from './book.ts'
import { admit, isSignOutRequest, mayFollow, SIGN_OUT_PATH } from './admit.ts'
import type { Tools } from './tools.ts'
import { isMcpRequest, MCP_PATH, mcpEndpoint } from './mcp.ts'
import { lookFileAt, lookFiles } from './look-files.ts'
import { isFilePath, siteFiles } from './files.ts'
import { isSearchPath, respondToSearch } from './search-endpoint.ts'
import { siteHosts } from './hosts.ts'
import type { OwnHost } from './own-hosts.ts'
import { pageHeaders, TRY_PATH } from './page-headers.ts'
import { mapsOf } from './machine-files.ts'
import { type PageFormat, respondToPath } from './pages.ts'
import {
  findSite,
  listOpenSites,
  type OpenSite,
  renamedSite,
  type ServedSite,
  type SiteLookup,
} from '../../model/sites/published/open-site.ts'
import { fileSpecs } from '../../model/openapi/file-specs.ts'
import { keyIn } from '../../model/sites/published/share-key.ts'
import { decodePath } from '../../model/sites/published/resolve.ts'
import {
  forVisit,
  prefersMarkdown,
  redirectResponse,
  sendResponse,
  type SiteResponse,
  textResponse,
  weightOf,
} from './responses.ts'
import { robots } from './texts.ts'
import { isTryRequest, tryEndpoint } from './try-proxy.ts'
import { EVENTS_PATH, eventEndpoint, isEventRequest } from './visitor-events.ts'

const CACHE_BYTES = 48 * 1024 * 1024
const CLAIMED_CACHE_BYTES = 16 * 1024 * 1024
/**
 * The one route of all sites. The router never sees the addresses of a site, because it refuses some that are a page
 * "not found" on a site, such as `/%zz`.
 */
const ROUTE = '/~site'
const PLAIN = 'text/plain; charset=utf-8'
const FORM = 'application/x-www-form-urlencoded'

/** The published sites, as a part of the server that also has the API. */
export interface SiteServer {
  /** The URL to route a request by: the route of the sites, or the URL of the request if it is for the API. */
  routeOf(request: IncomingMessage): string
  /**
   * The host name of the organization whose site a request is for; undefined if it is for the API.
   * @param url the URL that the client sent. The server changes that of the request.
   */
  organizationOf(request: IncomingMessage, url: string): string | undefined
  /** Wraps the listener of a server so that it finds the sites with host names of their own, before it routes. */
  findHosts(listener: RequestListener): RequestListener
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
  const countsVisits = services.limits.insightDays > 0
  const readFile = fileSpecs(services.blobs)
  const tools: Tools = { db, urls, highlighter: codeHighlighter, countsVisits, readFile }
  const files = siteFiles(tools, services)
  const ofLooks = lookFiles(services, db)
  const cache = lru<SiteResponse>(CACHE_BYTES)
  // Apart, because a client can make up any number of claims. They must not evict what everyone sees.
  const claimedCache = lru<SiteResponse>(CLAIMED_CACHE_BYTES)
  const hosts = siteHosts(db, urls, sitesHost, hostOf)
  const admitting = { ...services, db, hostOf }
  const rendering = sharing<SiteResponse>()
  const recordEvent = eventEndpoint(services)
  const sendTried = tryEndpoint(services)
  const answerMcp = mcpEndpoint(tools, cachedResponse, services)

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = request.originalUrl.split('?', 1)[0] ?? '/'
    if (path.startsWith(ASSET_BASE)) return sendResponse(request, reply, await respondWithAsset(path))

    const atOwn = hosts.ownOf(request.raw)
    if (atOwn) return respondAtOwnHost(atOwn, path.slice(1), request, reply)
    const [hostname, base] = placeOf(hosts.organizationOf(request.raw), path)
    const [first = '', ...segments] = path.slice(base.length).split('/')
    if (first === '') return sendResponse(request, reply, await respondToHost(hostname, base))
    if (first === 'robots.txt' && segments.length === 0)
      return sendResponse(request, reply, await textResponse(200, PLAIN, robots(await hostMaps(hostname))))

    const siteAt = (basename: string) =>
      placeAt(request, {
        organizationHostname: hostname,
        basename,
        base: `${base}${encodeURIComponent(basename)}/`,
      })
    const basename = decodePath(first)
    let place = await siteAt(basename)
    if (!place) {
      const renamed = await renamedSite(db, hostname, basename)
      const now = renamed === undefined ? undefined : await siteAt(renamed)
      if (!now) throw noSite()
      // The reader of a proxy does not see the base name.
      if (!now.proxied) return sendResponse(request, reply, await respondRenamed(now, segments, request))
      place = now
    }
    if (segments.length > 0) return respondInSite(place, segments.join('/'), request, reply)
    const admission = await admit(admitting, place, '', request)
    if (admission.cookies.length > 0) reply.header('set-cookie', admission.cookies)
    if ('refused' in admission) return sendResponse(request, reply, admission.refused)
    return sendResponse(request, reply, forVisit(admission.open.visit, redirectResponse(admission.open.base)))
  }

  /** The old name of a site leads to the new one, for whoever may see the site. For others, there is none. */
  async function respondRenamed(
    place: ServedSite,
    segments: string[],
    request: FastifyRequest,
  ): Promise<SiteResponse> {
    if (!(await mayFollow(admitting, place, segments.join('/'), request))) throw noSite()
    const location = [place.base.slice(0, -1), ...segments].join('/')
    const isOpen = place.published && isOpenToAll({ published: 1, visibility: place.site.visibility })
    return isOpen
      ? redirectResponse(location)
      : forVisit({ storedBy: 'nobody' }, redirectResponse(location, false))
  }

  /** A site at a host name of its own has the root of the host. */
  async function respondAtOwnHost(host: OwnHost, path: string, request: FastifyRequest, reply: FastifyReply) {
    if ('error' in host) throw host.error
    const { organizationHostname, basename } = host.site
    const place = await placeAt(request, { organizationHostname, basename, base: '/' })
    if (!place) throw noSite()
    return respondInSite(place, path, request, reply)
  }

  /** The site of a request. @throws 404 if a proxy forwards the request from another origin than that of the site */
  async function placeAt({ raw }: FastifyRequest, at: SiteLookup): Promise<ServedSite | undefined> {
    const forwardedHost = hosts.forwardedOf(raw)
    const place = await findSite(db, { ...at, forwardedHost })
    if (place && !place.proxied && hosts.isOnlyForwarded(raw))
      throw missing(`This site has no origin at ${forwardedHost}; send the origin as its "proxy"`)
    return place
  }

  async function respondInSite(
    place: ServedSite,
    within: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    if (within.startsWith(ASSETS_OF_SITE)) {
      const path = ASSET_BASE + within.slice(ASSETS_OF_SITE.length)
      return sendResponse(request, reply, await respondWithAsset(path))
    }
    const lookFile = lookFileAt(within)
    if (lookFile && (await ofLooks.isOpen(place, lookFile, request)))
      return ofLooks.send(place, lookFile, { request, reply, isShared: true })
    const signed = isFilePath(within) ? await files.openSigned(place, within, request) : undefined
    if (signed) return files.send(signed, keyIn(within)?.rest ?? within, request, reply)

    const admission = await admit(admitting, place, within, request)
    if (admission.cookies.length > 0) reply.header('set-cookie', admission.cookies)
    const isPost = request.method === 'POST'
    if ('refused' in admission) {
      // A client of the protocol cannot sign in on a page.
      if (isPost && admission.refused.status < 400 && within !== SIGN_OUT_PATH)
        throw new ApiError(401, 'Send a token of this site’s visitors')
      return sendResponse(request, reply, admission.refused)
    }
    const { open } = admission
    if (isPost && admission.path === EVENTS_PATH) return recordEvent(open, request, reply)
    if (isPost && admission.path === TRY_PATH) return sendTried(open, request, reply)
    if (isPost && admission.path === MCP_PATH) return answerMcp(open, request, reply)
    if (isPost || [MCP_PATH, EVENTS_PATH, TRY_PATH].includes(admission.path))
      throw methodRefused(request, reply)
    if (lookFile) {
      const isShared = open.visit.storedBy === 'anyone'
      return ofLooks.send(place, lookFile, { request, reply, isShared })
    }
    if (isSearchPath(admission.path)) {
      const search = new URLSearchParams(queryIn(request.originalUrl))
      const found = await respondToSearch(tools, open, admission.path, search, leaving(reply))
      if (found) return sendResponse(request, reply, found)
    }
    if (isBookPath(admission.path))
      return sendBook(tools, services, { open, path: admission.path }, request, reply)
    if (isFilePath(admission.path)) return files.send({ open }, admission.path, request, reply)
    const format = prefersMarkdown(request.headers.accept) ? 'markdown' : 'html'
    return sendResponse(request, reply, await cachedResponse(open, admission.path, format))
  }

  const cacheFor = ({ visit }: OpenSite) => (visit.context === '' ? cache : claimedCache)

  /** A response from the cache while nothing changed. Concurrent requests for one page render it once. */
  async function cachedResponse(open: OpenSite, path: string, format: PageFormat): Promise<SiteResponse> {
    const key = `${open.version}/${format === 'html' ? '' : ' '}${path}`
    const known = cacheFor(open).get(key)
    if (known && (!known.elsewhere?.size || (await isAsElsewhere(db, known.elsewhere)))) return known
    return rendering(key, () => freshResponse(open, path, format, key))
  }

  async function freshResponse(
    open: OpenSite,
    path: string,
    format: PageFormat,
    key: string,
  ): Promise<SiteResponse> {
    const response = forVisit(open.visit, await respondToPath(tools, open, path, format))
    // A client can make up addresses: of pages that do not exist, and spellings of those that do. They must not evict
    // the pages that readers ask for.
    const isUsual = path === decodePath(path).split('/').map(encodeURIComponent).join('/')
    if (response.status === 200 && !response.partial && isUsual)
      cacheFor(open).set(key, response, weightOf(response))
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
      sites.map((site) => ({ site, organizationHostname: hostname })),
    )
  }

  const isForSite = (request: IncomingMessage) =>
    hosts.organizationOf(request) !== '' || hosts.ownOf(request) !== undefined || isSitePath(request.url)

  return {
    findHosts: (listener) => (request, response) =>
      hosts.find(request, () => {
        listener(request, response)
      }),
    routeOf: (request) => (isForSite(request) ? ROUTE : request.url) ?? '/',
    organizationOf(request, url) {
      const own = hosts.ownOf(request)
      if (own) return 'site' in own ? own.site.organizationHostname : ''
      const [path = ''] = url.split('?', 1)
      const hostname = hosts.organizationOf(request)
      return hostname !== '' || isSitePath(path) ? placeOf(hostname, path)[0] : undefined
    },
    async mount(server, count) {
      // Every method that Node accepts, so that each of the others gets 405.
      for (const method of METHODS)
        if (!server.supportedMethods.includes(method)) server.addHttpMethod(method)
      await server.register(async (scope) => {
        scope.setErrorHandler((error, request, reply) => sendFailure(error, request, reply))
        // The form that signs out has no fields. Nothing else of a site reads forms.
        scope.addContentTypeParser(FORM, { parseAs: 'string' }, (request, _body, done) =>
          done(isSignOutRequest(request) ? null : new ApiError(415, `Send no ${FORM} to this path`)),
        )
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
            if (request.method === 'POST' && takesPost(request)) return done()
            throw methodRefused(request, reply)
          },
          handler: respond,
        })
      })
    },
  }
}

const takesOnlyPost = (request: FastifyRequest) =>
  isMcpRequest(request) || isEventRequest(request) || isTryRequest(request)

const takesPost = (request: FastifyRequest) => takesOnlyPost(request) || isSignOutRequest(request)

function methodRefused(request: FastifyRequest, reply: FastifyReply): ApiError {
  const reads = isSignOutRequest(request) ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']
  const allowed = takesOnlyPost(request) ? ['POST'] : reads
  reply.header('allow', allowed.join(', '))
  return new ApiError(405, `Sites are read-only: send ${allowed.join(' or ')} instead of ${request.method}`)
}

const noSite = () => missing('There is no site at this address')
const noFile = () => missing('There is no file at this address')

function isSitePath(url = ''): boolean {
  return url.startsWith(SITES_PATH) || url.startsWith(ASSET_BASE)
}

/** The organization's host name, and the path at which its sites begin: `/`, or `/sites/<hostname>/` on the API's host. */
function placeOf(hostname: string, path: string): [hostname: string, base: string] {
  if (hostname !== '') return [hostname, '/']
  const [named = ''] = path.slice(SITES_PATH.length).split('/', 1)
  return [named, `${SITES_PATH}${named}/`]
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

/** A body that the server cannot read: it is no JSON, or too large. */
function errorOfBody(error: unknown): ApiError | undefined {
  const { statusCode, message } = error as { statusCode?: number; message: string }
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? new ApiError(statusCode, message)
    : undefined
}

/** Sends an error as text, and an unexpected one as a page that names the request. */
async function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = error instanceof ApiError ? error : (outageOf(error) ?? errorOfBody(error))
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
    await textResponse(
      500,
      'text/html; charset=utf-8',
      page,
      pageHeaders({ sandboxed: isSitePath(request.originalUrl) }),
    ),
  )
}

import { METHODS, type IncomingMessage, type RequestListener } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codeHighlighter } from '../../highlight/highlight.ts'
import { ApiError } from '../../http/errors.ts'
import type { Services } from '../../http/route.ts'
import { fileSpecs } from '../../model/openapi/file-specs.ts'
import { isSignOutRequest } from './admit.ts'
import { sendFailure } from './failures.ts'
import { siteHosts } from './hosts.ts'
import { isSitePath, noSite, organizationAt, placeFinder } from './find-site.ts'
import { sendResponse } from './responses.ts'
import { methodRefused, siteResponder, takesPost } from './site-responder.ts'
import type { Tools } from './tools.ts'
import { because } from '../../core/languages/reasons.ts'

/**
 * The one route of all sites. The router never sees the addresses of a site, because it refuses some that are a page
 * "not found" on a site, such as `/%zz`.
 */
const ROUTE = '/~site'
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
  const hosts = siteHosts(db, urls, sitesHost, hostOf)
  const admitting = { ...services, db, hostOf }
  const find = placeFinder(tools, hosts, admitting)
  const respondInSite = siteResponder(tools, services, admitting)

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const found = await find(request)
    return 'place' in found
      ? respondInSite({ ...found, request, reply })
      : sendResponse(request, reply, found)
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
      return hostname !== '' || isSitePath(path) ? organizationAt(hostname, path)[0] : undefined
    },
    async mount(server, count) {
      // Every method that Node accepts, so that each of the others gets 405.
      for (const method of METHODS)
        if (!server.supportedMethods.includes(method)) server.addHttpMethod(method)
      await server.register(async (scope) => {
        scope.setErrorHandler((error, request, reply) =>
          sendFailure(error, { request, reply, sandboxed: isSitePath(request.originalUrl) }),
        )
        // The form that signs out has no fields. Nothing else of a site reads forms.
        scope.addContentTypeParser(FORM, { parseAs: 'string' }, (request, _body, done) =>
          done(
            isSignOutRequest(request) ? null : new ApiError(415, because('form-not-taken', { type: FORM })),
          ),
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

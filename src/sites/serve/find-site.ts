/** Finds the site of a request, or what is at the host of an organization besides its sites. */
import type { FastifyRequest } from 'fastify'
import { isOpenToAll } from '../../access/visitors/visitors.ts'
import { ASSET_BASE, SITES_PATH } from '../../core/web/site-paths.ts'
import { missing } from '../../http/errors.ts'
import {
  findSite,
  listOpenSites,
  renamedSite,
  type ServedSite,
  type SiteLookup,
} from '../../model/sites/published/open-site.ts'
import { decodePath } from '../../model/sites/published/resolve/resolve.ts'
import { type Admitting, mayFollow } from './admit.ts'
import { respondWithAsset } from './files/asset-responses.ts'
import type { SiteHosts } from './hosts.ts'
import { mapsOf } from './files/machine-files.ts'
import type { OwnHost } from './own-hosts.ts'
import { forVisit, TEXT_TYPE, redirectResponse, type SiteResponse, textResponse } from './responses.ts'
import { robots } from './files/text-formats.ts'
import type { Tools } from './tools.ts'
import { because } from '../../core/languages/reasons.ts'

/** A site, and the path within it; undefined if the address is that of the site without the last slash. */
interface Place {
  place: ServedSite
  within: string | undefined
}

export const noSite = () => missing(because('no-site-here'))

/** Whether a path on the API's host is one of sites. */
export function isSitePath(url = ''): boolean {
  return url.startsWith(SITES_PATH) || url.startsWith(ASSET_BASE)
}

/** The organization's host name, and the path at which its sites begin: `/`, or `/sites/<hostname>/` on the API's host. */
export function organizationAt(hostname: string, path: string): [hostname: string, base: string] {
  if (hostname !== '') return [hostname, '/']
  const [named = ''] = path.slice(SITES_PATH.length).split('/', 1)
  return [named, `${SITES_PATH}${named}/`]
}

/** @returns finds the site of a request, or the response if it is for none. It throws 404 if there is nothing. */
export function placeFinder(
  tools: Tools,
  hosts: SiteHosts,
  admitting: Admitting,
): (request: FastifyRequest) => Promise<Place | SiteResponse> {
  const { db } = tools

  async function find(request: FastifyRequest): Promise<Place | SiteResponse> {
    const path = request.originalUrl.split('?', 1)[0] ?? '/'
    if (path.startsWith(ASSET_BASE)) return respondWithAsset(path)
    const own = hosts.ownOf(request.raw)
    if (own) return { place: await ownSite(own, request), within: path.slice(1) }

    const [hostname, base] = organizationAt(hosts.organizationOf(request.raw), path)
    const [first = '', ...segments] = path.slice(base.length).split('/')
    if (first === '') return toDefaultSite(hostname, base)
    if (first === 'robots.txt' && segments.length === 0)
      return textResponse(200, TEXT_TYPE, robots(await mapsOfHost(hostname)))
    return siteNamed(request, { hostname, base, basename: decodePath(first), segments })
  }

  /** The site with a name, also with a former one. */
  async function siteNamed(
    request: FastifyRequest,
    address: { hostname: string; base: string; basename: string; segments: string[] },
  ): Promise<Place | SiteResponse> {
    const { hostname, base, basename, segments } = address
    const siteAt = (name: string) =>
      siteFor(request, {
        organizationHostname: hostname,
        basename: name,
        base: `${base}${encodeURIComponent(name)}/`,
      })
    const within = segments.length > 0 ? segments.join('/') : undefined
    const place = await siteAt(basename)
    if (place) return { place, within }
    const renamed = await renamedSite(db, hostname, basename)
    const now = renamed === undefined ? undefined : await siteAt(renamed)
    if (!now) throw noSite()
    // The reader of a proxy does not see the name.
    return now.proxied ? { place: now, within } : toNewName(now, segments, request)
  }

  /** Redirects the old name of a site to the new one. @throws 404 for readers who may not see the site */
  async function toNewName(
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

  /** The site with this host name, which is served from the root of the host. */
  async function ownSite(host: OwnHost, request: FastifyRequest): Promise<ServedSite> {
    if ('error' in host) throw host.error
    const { organizationHostname, basename } = host.site
    const place = await siteFor(request, { organizationHostname, basename, base: '/' })
    if (!place) throw noSite()
    return place
  }

  /** The site of a request. @throws 404 if a proxy forwards the request from another origin than that of the site */
  async function siteFor({ raw }: FastifyRequest, at: SiteLookup): Promise<ServedSite | undefined> {
    const forwardedHost = hosts.forwardedOf(raw)
    const place = await findSite(db, { ...at, forwardedHost })
    if (place && !place.proxied && hosts.isOnlyForwarded(raw))
      throw missing(because('no-origin-here', { host: String(forwardedHost) }))
    return place
  }

  async function toDefaultSite(hostname: string, base: string): Promise<SiteResponse> {
    const sites = await listOpenSites(db, hostname)
    const content = sites[0]?.defaultContent
    const chosen = content ? (JSON.parse(content) as { site: string }).site : undefined
    const site = sites.find(({ id }) => id === chosen) ?? sites[0]
    if (!site) throw noSite()
    return redirectResponse(`${base}${encodeURIComponent(site.basename)}/`, false)
  }

  async function mapsOfHost(hostname: string): Promise<string[]> {
    const sites = await listOpenSites(db, hostname)
    return mapsOf(
      tools,
      sites.map((site) => ({ site, organizationHostname: hostname })),
    )
  }

  return find
}

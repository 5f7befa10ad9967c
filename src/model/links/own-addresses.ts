/** Resolves absolute addresses that lead back to this installation: pages of published sites, and of the console. */
import { isOpenToAll } from '../../access/visitors/visitors.ts'
import { visibleCollections, visibleSpaces } from '../../access/roles/visible.ts'
import { findOrganization } from '../../access/checks/on.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { ContentRef } from '../../core/document/model.ts'
import { SITES_PATH } from '../../core/web/site-paths.ts'
import { needRevision } from '../content/commit.ts'
import { expandedPagesIn } from '../openapi/computed-pages.ts'
import { loadContent } from '../sites/published/content/site-content.ts'
import {
  findSite,
  renamedSite,
  type ServedSite,
  siteAtHost,
  type Variant,
} from '../sites/published/open-site.ts'
import { openToEveryone } from '../sites/published/open-to.ts'
import { decodePath, matchesOf, waysAt } from '../sites/published/resolve/resolve.ts'
import { keyIn } from '../sites/published/resolve/share-key.ts'
import { redirected, redirectedElsewhere } from '../sites/redirects/redirects.ts'
import type { LinkReader } from './outside-targets.ts'
import { type OwnHostKind, sitesHostOf } from './web-hosts.ts'

/**
 * Where an address of this installation leads: to content that the caller can see, in a revision of its space; to
 * something else that works; or nowhere. Whether the page has the anchor is not checked yet.
 */
export type OwnTarget = SpaceContent | 'other' | 'broken'

interface SpaceContent {
  ref: ContentRef
  spaceId: string
  revisionId: string
}

/** Resolves addresses. Sites and revisions are loaded once. */
export function ownAddresses(
  reader: LinkReader,
): (url: URL, kinds: ReadonlySet<OwnHostKind>) => Promise<OwnTarget> {
  const { db, me, urls } = reader
  const canSee = once(async (id: string) => (await visibleSpaces(db, me, [id])).get(id))
  const siteAt = once((key: string) => {
    const [organizationHostname = '', basename = '', base = '/', forwardedHost = ''] = JSON.parse(
      key,
    ) as string[]
    return findSite(db, { organizationHostname, basename, base, ...(forwardedHost ? { forwardedHost } : {}) })
  })
  const ownSite = once((host: string) => siteAtHost(db, host))
  const originsAt = once((host: string) => sitesWithOrigin(reader, host))
  const contentOf = once(async (key: string) => {
    const [spaceId = '', revisionId = ''] = key.split(' ')
    const revision = await needRevision(db, spaceId, revisionId)
    return { revision, tree: (await expandedPagesIn(db, revision)).tree }
  })

  /** The page of a variant at a path, or whether something else is there. */
  async function pageIn(variant: Variant, path: string): Promise<PageRecord | 'other' | undefined> {
    const { revision, tree } = await contentOf(`${variant.spaceId} ${variant.revisionId}`)
    if (path.startsWith('~/')) return 'other'
    const present = tree.byPath(path) ?? tree.byPath(path.replace(/\.md$/i, ''))
    if (present) return present
    if (redirectedElsewhere(revision, path) !== undefined) return 'other'
    return (await redirected(db, revision, tree, path)) ?? (MADE_FILE.test(path) ? 'other' : undefined)
  }

  async function isShown(site: ServedSite, variant: Variant, page: PageRecord): Promise<boolean> {
    if ((await canSee(variant.spaceId)) !== undefined) return true
    if (!site.published || !isOpenToAll({ published: 1, visibility: site.site.visibility })) return false
    const open = await openToEveryone(db, site)
    const same = open.variants.find(({ siteSpaceId }) => siteSpaceId === variant.siteSpaceId)
    return same !== undefined && (await loadContent(reader, open, same, open.base + same.home)).shown(page)
  }

  async function inSite(
    site: ServedSite,
    asked: string,
    anchor: string | undefined,
    hops = 0,
  ): Promise<OwnTarget> {
    if (!site.published) return 'broken'
    const keyed = site.site.visibility === 'share-link' ? keyIn(asked) : undefined
    const path = keyed ? (keyed.rest ?? '') : asked
    const isPage = async (at: string) => typeof (await placeIn(site, at, anchor)) === 'object'
    for await (const way of waysAt(db, site, path, isPage)) {
      if (way.kind === 'redirect') return 'other'
      const found =
        way.kind === 'place'
          ? await placeIn(site, path, anchor)
          : hops === 0 && (await inSite(site, way.path, anchor, 1))
      if (found && found !== 'broken') return found
      if (way.kind === 'renamed') return 'broken'
    }
    return 'broken'
  }

  /** What is at a path of a site itself; undefined if nothing is. */
  async function placeIn(
    site: ServedSite,
    path: string,
    anchor: string | undefined,
  ): Promise<OwnTarget | undefined> {
    for (const { variant, rest } of matchesOf(site, path)) {
      const page = await pageIn(variant, decodePath(rest))
      if (page === 'other') return 'other'
      if (!page || !(await isShown(site, variant, page))) continue
      const at = { space: variant.spaceId, page: page.id }
      const ref: ContentRef = anchor ? { kind: 'anchor', anchor, ...at } : { kind: 'page', ...at }
      return { ref, spaceId: variant.spaceId, revisionId: variant.revisionId }
    }
    return undefined
  }

  async function atOrganization(hostname: string, base: string, path: string, anchor: string | undefined) {
    const [first = '', ...rest] = path.split('/')
    // The root of the host leads to the default site, and `robots.txt` is a file of the host.
    if (first === '' || (rest.length === 0 && MADE_FILE.test(first))) return 'other'
    const basename = decodePath(first)
    const at = (name: string) =>
      siteAt(JSON.stringify([hostname, name, `${base}${encodeURIComponent(name)}/`]))
    const renamed = (await at(basename)) ? undefined : await renamedSite(db, hostname, basename)
    const site = await at(renamed ?? basename)
    return site ? inSite(site, rest.join('/'), anchor) : 'broken'
  }

  async function inConsole(path: string): Promise<OwnTarget> {
    const [kind, id = '', ...rest] = path.split('/')
    if (kind === 'c') return (await visibleCollections(db, me, [id])).has(id) ? 'other' : 'broken'
    if (kind === 'o') return (await findOrganization(db, me, id)) ? 'other' : 'broken'
    if (kind !== 's') return 'other'
    const revisionId = await canSee(id)
    if (!revisionId) return 'broken'
    const inside = decodePath(rest.join('/')).replace(/\/+$/, '')
    if (inside === '') return { ref: { kind: 'space', space: id }, spaceId: id, revisionId }
    if (inside.startsWith('~/')) return 'other'
    const { revision, tree } = await contentOf(`${id} ${revisionId}`)
    const page = tree.byPath(inside) ?? (await redirected(db, revision, tree, inside))
    return page ? { ref: { kind: 'page', space: id, page: page.id }, spaceId: id, revisionId } : 'broken'
  }

  return async (url, kinds) => {
    const path = url.pathname.slice(1)
    const anchor = url.hash === '' ? undefined : decodePath(url.hash.slice(1))
    if (kinds.has('origin')) {
      for (const { organizationHostname, basename, proxy } of await originsAt(url.host)) {
        const base = `${proxy.slice(proxy.indexOf('/') + 1)}/`
        if (!`${path}/`.startsWith(base)) continue
        const site = await siteAt(JSON.stringify([organizationHostname, basename, '/', url.host]))
        if (site) return inSite(site, path.slice(base.length), anchor)
      }
    }
    if (kinds.has('site')) {
      const own = await ownSite(url.hostname)
      const site = own && (await siteAt(JSON.stringify([own.organizationHostname, own.basename, '/'])))
      return site ? inSite(site, path, anchor) : 'broken'
    }
    if (kinds.has('organization'))
      return atOrganization(url.host.slice(0, -sitesHostOf(urls).length - 1), '/', path, anchor)
    if (!kinds.has('server')) return 'other'
    const app = new URL(urls.app('/')).pathname
    if (url.pathname.startsWith(app)) return inConsole(url.pathname.slice(app.length))
    if (!url.pathname.startsWith(SITES_PATH)) return 'other'
    const [hostname = '', ...rest] = url.pathname.slice(SITES_PATH.length).split('/')
    return atOrganization(hostname, `${SITES_PATH}${hostname}/`, rest.join('/'), anchor)
  }
}

/** Files that a site makes: texts for machines, feeds, and images of pages. */
const MADE_FILE = /(?:^|\/)[^/]+\.(?:txt|xml|rss|png|svg|ico|webmanifest)$/i

/** The sites that a proxy serves at paths of a host, those with long paths first. */
async function sitesWithOrigin({ db }: LinkReader, host: string) {
  const rows = await db
    .selectFrom('site')
    .innerJoin('organization', 'organization.id', 'site.organizationId')
    .select(['organization.hostname as organizationHostname', 'site.basename', 'site.proxy'])
    .where('site.proxy', 'like', `${host.replace(/[\\%_]/g, '\\$&')}/%`)
    .execute()
  return rows
    .map(({ proxy, ...site }) => ({ ...site, proxy: proxy! }))
    .filter(({ proxy }) => proxy.toLowerCase().startsWith(`${host}/`))
    .toSorted((a, b) => b.proxy.length - a.proxy.length)
}

function once<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key) => {
    const running = known.get(key) ?? work(key)
    known.set(key, running)
    return running
  }
}

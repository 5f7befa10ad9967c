/** Resolves an address of a published site to what it shows to a reader: the site, the place in it, and a site token. */
import { PREVIEW_PARAMETER } from '../../../../access/visitors/preview.ts'
import { LONGEST_CLAIMS_JSON, signSiteToken } from '../../../../access/credentials/site-token.ts'
import { isOpenToAll } from '../../../../access/visitors/visitors.ts'
import type { PageRecord } from '../../../../core/content/revision.ts'
import type { Reader } from '../../../../db/schema.ts'
import { invalidField, missing, signInRequired } from '../../../../http/errors.ts'
import type { Urls } from '../../../../http/urls.ts'
import { type AdmissionServices, enter, type SiteEntry, signInAddress } from '../admission.ts'
import { absolute, homeOf } from './addresses.ts'
import {
  isReadable,
  loadContent,
  pageAddress,
  type SiteContent,
  type SiteServices,
} from '../content/site-content.ts'
import {
  findSite,
  listOpenSites,
  type OpenSite,
  renamedSite,
  type ServedSite,
  siteAtHost,
  type Variant,
} from '../open-site.ts'
import type { Reaching } from '../../../../access/roles/reached.ts'
import { siteAtOrigin } from './site-at-origin.ts'
import { type Previewed, previewIn } from './previews.ts'
import { decodePath, formerDefaultPaths, matchesOf, type PathMatch, renamedPath } from './resolve.ts'
import { withClaimsOf } from '../unsigned-claims.ts'
import { because } from '../../../../core/languages/reasons.ts'

type UrlServices = AdmissionServices & { urls: Urls; me: Reaching }

/** A request to resolve an address for a reader. */
export interface AskedUrl {
  url: URL
  /** The token that the backend of the site made for the reader. */
  jwtToken?: string | undefined
  unsignedClaims?: Record<string, unknown> | undefined
  /** Whether a reader whose token is not valid is sent to the sign-in page, like one without a token. */
  redirectOnError?: boolean | undefined
}

/** The content that an address shows to a reader, or the URL to which it redirects. */
export type PublishedLookup =
  | { target: 'content' | 'external'; redirect: string }
  | {
      organization: string
      site: string
      siteSection?: string
      siteSpace: string
      space: string
      changeRequest?: string
      revision?: string
      pathname: string
      basePath: string
      siteBasePath: string
      canonicalUrl: string
      complete: boolean
      apiToken: string
      shareKey?: string
      contextId?: string
      preview?: boolean
    }

/** The site of an address, and the path within it. */
export interface SiteAtUrl {
  place: ServedSite
  path: string
  /** The address has a former name of the site. */
  renamed: boolean
}

const noSite = () => missing(because('no-site-here'))

/**
 * @throws 404 if there is no site for this reader at the address
 * @throws 401 if the reader has to sign in, and the site has no sign-in page or the token that they sent is not valid
 */
export async function lookUpPublished(services: UrlServices, asked: AskedUrl): Promise<PublishedLookup> {
  const { db, urls } = services
  const { url } = asked
  const found = await siteAtUrl(services, url)
  if (!found) return { target: 'content', redirect: await defaultSite(services, url) }
  const { place, path } = found
  const home = urls.site(place.site, place.organizationHostname)

  const query = url.searchParams
  const entry = await enter(services, place, {
    path,
    token: asked.jwtToken ?? query.get('jwt_token') ?? undefined,
    unsigned: withClaimsOf(query, asked.unsignedClaims ?? {}) ?? asked.unsignedClaims ?? {},
    preview: query.get(PREVIEW_PARAMETER) ?? undefined,
  })
  // A former name tells nobody that there is a site, unless they may see it.
  if (entry.kind === 'closed' || (found.renamed && !isAdmitted(place, entry))) throw noSite()
  if (found.renamed) return { target: 'content', redirect: home + path }
  if (entry.kind === 'moved') return { target: 'content', redirect: home + entry.path }
  if (entry.kind === 'sign-in') return signInFor(entry, asked)

  const { open } = entry
  const at = await placeInSite(services, open, entry.path)
  if (!at) {
    const now = await renamedPath(db, open, entry.path)
    if (now !== undefined) return { target: 'content', redirect: homeOf(urls, open) + now }
  }
  if (!at?.page)
    for (const former of await formerDefaultPaths(db, open, entry.path))
      if ((await placeInSite(services, open, former))?.page)
        return { target: 'content', redirect: homeOf(urls, open) + former }
  if (!at) throw noSite()
  const { match, content, page } = at
  if (match.moved && page)
    return { target: 'content', redirect: absolute(urls, content, match.base + match.rest) }
  return describe(services, entry, at)
}

/** Whether a reader may see a site. */
export function isAdmitted({ published, site }: ServedSite, entry: SiteEntry): boolean {
  const isOpen = published && isOpenToAll({ published: 1, visibility: site.visibility })
  return isOpen || entry.kind === 'open'
}

/**
 * The site that an address names; undefined for the root of a host with several sites.
 * @param services.me the caller, whose organizations decide about origins that nobody proves
 * @throws 404
 */
export async function siteAtUrl(
  { db, urls, me }: { db: Reader; urls: Urls; me: Reaching },
  url: URL,
): Promise<SiteAtUrl | undefined> {
  const place = urls.sitesAt(url)
  if (!place) {
    const own = await siteAtHost(db, url.hostname)
    const proxied = own ? undefined : await siteAtOrigin(db, url, me)
    const named = own ?? proxied
    const site =
      named &&
      (await findSite(db, {
        organizationHostname: named.organizationHostname,
        basename: named.basename,
        base: '/',
        forwardedHost: proxied && url.hostname,
      }))
    if (!site) throw noSite()
    return { place: site, path: proxied?.path ?? url.pathname.slice(1), renamed: false }
  }
  const { organizationHostname, base } = place
  const [first = '', ...segments] = url.pathname.slice(base.length).split('/')
  if (first === '') return undefined
  const named = decodePath(first)
  const find = (basename: string) =>
    findSite(db, { organizationHostname, basename, base: `${base}${encodeURIComponent(basename)}/` })
  const site = await find(named)
  if (site) return { place: site, path: segments.join('/'), renamed: false }
  const basename = await renamedSite(db, organizationHostname, named)
  const renamed = basename && (await find(basename))
  if (!renamed) throw noSite()
  return { place: renamed, path: segments.join('/'), renamed: true }
}

/** The root of a host leads to one of its sites, as a browser is redirected. */
async function defaultSite({ db, urls }: UrlServices, url: URL): Promise<string> {
  const organizationHostname = urls.sitesAt(url)?.organizationHostname ?? ''
  const sites = await listOpenSites(db, organizationHostname)
  const content = sites[0]?.defaultContent
  const chosen = content ? (JSON.parse(content) as { site: string }).site : undefined
  const site = sites.find(({ id }) => id === chosen) ?? sites[0]
  if (!site) throw noSite()
  return urls.site(site, organizationHostname)
}

function signInFor(
  { fallback, path, reason }: Extract<SiteEntry, { kind: 'sign-in' }>,
  { url, redirectOnError = false }: AskedUrl,
): PublishedLookup {
  // To send a reader back for another token could go on for ever, so clients decide it.
  if (fallback !== null && (reason === undefined || redirectOnError))
    return { target: 'external', redirect: signInAddress(fallback, path, url.searchParams) }
  throw signInRequired(because('visitor-token-invalid'))
}

/** The place in a site that a path leads to. */
interface PlaceInSite {
  match: PathMatch
  content: SiteContent
  /** The page at the path, if the reader sees one there. */
  page: PageRecord | undefined
  previewed: Previewed | undefined
}

/** The first space that has a page at a path, or else the one that the path names. */
async function placeInSite(
  services: SiteServices,
  open: OpenSite,
  path: string,
): Promise<PlaceInSite | undefined> {
  const { db } = services
  let first: PlaceInSite | undefined
  for (const match of matchesOf(open, path)) {
    const { open: seen, previewed, ...at } = await previewIn(db, open, match)
    const content = await loadContent(services, seen, at.variant, at.base)
    const page = pageAtPath(content, decodePath(at.rest))
    const place = { match: at, content, page, previewed }
    if (page) return place
    first ??= place
  }
  if (first && (await renamedPath(db, open, path)) !== undefined) return undefined
  // A reader who may not preview the space does not learn which previews exist.
  if (first && /^~\/(?:changes|revisions)(?:\/|$)/.test(first.match.rest)) return undefined
  return first
}

function pageAtPath(content: SiteContent, path: string): PageRecord | undefined {
  const { tree, root } = content
  const page = path === '' ? root : tree.byPath(path)
  return page && isReadable(content, page) ? page : undefined
}

async function describe(
  { urls, sealing, now }: UrlServices,
  { open, proof, expires }: Extract<SiteEntry, { kind: 'open' }>,
  { match, content, page, previewed }: PlaceInSite,
): Promise<PublishedLookup> {
  const { site, visit, variants } = open
  const { variant, rest, base } = match
  const { siteSpaceId: siteSpace, spaceId: space, section } = variant
  const siteSection = section?.id
  const apiToken = await signSiteToken(
    sealing,
    { organizationId: site.organizationId, siteId: site.id, proof },
    {
      siteSpace,
      ...(siteSection === undefined ? {} : { siteSection }),
      space,
      spaces: variants.map(({ spaceId }) => spaceId),
    },
    { now: now(), expires },
  )
  const isPage = page !== undefined && page.type === 'document'
  return {
    organization: site.organizationId,
    site: site.id,
    ...(siteSection === undefined ? {} : { siteSection }),
    siteSpace,
    space,
    ...previewed,
    pathname: rest,
    basePath: base,
    siteBasePath: open.base,
    canonicalUrl: absolute(urls, content, isPage ? pageAddress(content, page) : base + rest),
    complete: rest !== '' || isEnd(open, variant),
    apiToken,
    ...(visit.key === undefined ? {} : { shareKey: visit.key }),
    ...(visit.context === '' ? {} : { contextId: visit.context }),
    ...(visit.preview ? { preview: true } : {}),
  }
}

/** Whether no word behind the address of a space could name another section or space of the site. */
function isEnd({ variants }: OpenSite, { section, isDefault }: Variant): boolean {
  if (!isDefault) return true
  if (section?.isDefault !== false) return variants.every(({ home }) => home === '')
  return variants.every((one) => one.section?.id !== section.id || one.isDefault)
}

/** @throws 400 if the claims of a reader do not fit into a token */
export function checkClaims(path: string, claims: Record<string, unknown> | undefined): void {
  if (claims !== undefined && JSON.stringify(claims).length > LONGEST_CLAIMS_JSON)
    throw invalidField(path, because('claims-too-long', { limit: LONGEST_CLAIMS_JSON }))
}

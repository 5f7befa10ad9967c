/** Where a redirect of a site may be put, and what it leads to. */
import { hasPath } from '../../../core/content/revision.ts'
import {
  findLoop,
  isWildcard,
  LONGEST_CHAIN,
  type LoopSamples,
  type RedirectMatch,
  type RedirectTable,
  withSegments,
} from '../../../core/web/redirect-table.ts'
import type { Reader, Tx } from '../../../db/schema.ts'
import { faultAt, type Fault, unknownIdFault } from '../../../http/errors.ts'
import { needRevision } from '../../content/commit.ts'
import { expandedPagesIn } from '../../openapi/computed-pages.ts'
import { pathInSite } from '../../places/default-site-space.ts'
import type { OwnPaths } from './own-paths.ts'
import {
  isReadable,
  loadContent,
  pageAddress,
  type SiteServices,
  variantAddress,
} from '../published/content/site-content.ts'
import type { OpenSite } from '../published/open-site.ts'
import {
  externalUrl,
  MOST_REDIRECTS,
  type RedirectDestination,
  type RedirectRule,
  type SiteDestination,
} from './site-redirect.ts'
import type { SiteStructure } from '../structure/structure.ts'
import { because } from '../../../core/languages/reasons.ts'

/** A site with its redirects, as a caller who changes them sees it. */
export interface RedirectPlace {
  db: Reader
  structure: SiteStructure
  /** The URL of the site. */
  address: string
  /** All addresses of the site. */
  own: OwnPaths
  table: RedirectTable<RedirectRule>
  /** The paths that may still be tried to find loops. */
  samples: LoopSamples
  /** The paths of the destinations that were looked up. */
  paths: WeakMap<SiteDestination, string | undefined>
}

/**
 * Puts a redirect into the table of its site, in place of the one with its id. Without effect if it has a fault: its
 * destination is not on the site or hidden from the caller, another redirect has the source, or a chain of redirects
 * leads back to it.
 * @param before the redirect that it replaces
 * @param at where the redirect is in the request, such as `body`
 */
export async function placeRedirect(
  place: RedirectPlace,
  rule: RedirectRule,
  before: RedirectRule | undefined,
  at: string,
): Promise<Fault | undefined> {
  const { table } = place
  if (rule.captureWildcard && !isWildcard(rule.source))
    return faultAt(`${at}.captureWildcard`, because('redirect-without-wildcard'))
  const other = table.sameSource(rule.source)
  if (other && other.id !== rule.id)
    return faultAt(`${at}.source`, because('redirect-source-same', { source: other.source, id: other.id }))
  const wrong = await findDestinationFault(place, rule.destination, `${at}.destination`)
  if (wrong) return wrong
  if (!before && table.size >= MOST_REDIRECTS)
    return faultAt(`${at}.source`, because('too-many-redirects-of-site', { limit: MOST_REDIRECTS }))

  if (before) table.drop(before)
  table.put(rule)
  const chain = await findLoop(table, rule, place.samples, (match) => leadOf(place, match))
  if (!chain) return undefined
  table.drop(rule)
  if (before) table.put(before)
  const sources = chain.map(({ source }) => `"${source}"`).join(', ')
  const message =
    chain.length > LONGEST_CHAIN
      ? `makes a chain of more than ${LONGEST_CHAIN} redirects: ${sources}`
      : `leads back to the source, by the redirects from ${sources}`
  return { path: `${at}.destination`, message }
}

async function findDestinationFault(
  { db, structure }: RedirectPlace,
  destination: RedirectDestination,
  at: string,
): Promise<Fault | undefined> {
  if (destination.kind === 'external') {
    const url = URL.parse(destination.url)
    if (url && url.username === '' && url.password === '') return undefined
    return faultAt(`${at}.url`, because('not-plain-url'))
  }
  if (destination.kind === 'site-section') {
    const { siteSectionId: id } = destination
    if (structure.sections.some((section) => section.id === id)) return undefined
    return unknownIdFault(`${at}.siteSectionId`, id, 'a section of this site')
  }
  const { siteSpaceId } = destination
  if (!structure.siteSpaces.some(({ id }) => id === siteSpaceId))
    return unknownIdFault(`${at}.siteSpaceId`, siteSpaceId, 'a site space of this site')
  if (
    destination.kind === 'site-space' ||
    (await pathOfDestination(db, structure, destination)) !== undefined
  )
    return undefined
  return unknownIdFault(`${at}.pageId`, destination.pageId, 'a page or group of this site space')
}

/**
 * The path within the site, without a slash at its beginning, of a section, a space or a page; undefined if it is not
 * there any more, or the caller cannot see it.
 */
async function pathOfDestination(
  db: Reader,
  structure: SiteStructure,
  destination: SiteDestination,
): Promise<string | undefined> {
  const siteSpace =
    destination.kind === 'site-section'
      ? firstOfSection(structure, destination.siteSectionId)
      : structure.siteSpaces.find(({ id }) => id === destination.siteSpaceId)
  if (!siteSpace) return undefined
  const section = structure.sections.find(({ id }) => id === siteSpace.sectionId)
  const home = pathInSite({ ...siteSpace, sectionPath: section?.path, sectionIsDefault: section?.isDefault })
  if (destination.kind !== 'site-page') return home
  const { revisionId } = await db
    .selectFrom('space')
    .select('revisionId')
    .where('id', '=', siteSpace.spaceId)
    .executeTakeFirstOrThrow()
  const reading = structure.readingOf(siteSpace)
  if (reading) return pathForReader({ db, urls: structure.urls }, reading, siteSpace.id, destination.pageId)
  const { tree } = await expandedPagesIn(db, await needRevision(db, siteSpace.spaceId, revisionId))
  const page = tree.get(destination.pageId)
  if (!page || !hasPath(page)) return undefined
  if (tree.first()?.id === page.id) return home
  return home + tree.path(page.id).split('/').map(encodeURIComponent).join('/')
}

/** The path within the site of a page, for a caller who sees only what the site shows them. */
async function pathForReader(
  services: SiteServices,
  open: OpenSite,
  siteSpaceId: string,
  pageId: string,
): Promise<string | undefined> {
  const variant = open.variants.find((one) => one.siteSpaceId === siteSpaceId)
  if (!variant) return undefined
  const content = await loadContent(services, open, variant, variantAddress(open, variant))
  const page = content.tree.get(pageId)
  if (!page || !hasPath(page) || !isReadable(content, page)) return undefined
  return pageAddress(content, page).slice(open.base.length)
}

function firstOfSection({ siteSpaces }: SiteStructure, id: string) {
  const inside = siteSpaces.filter(({ sectionId }) => sectionId === id)
  return inside.find(({ isDefault }) => isDefault === 1) ?? inside[0]
}

/** The URL that a match leads to; undefined if its destination is not there any more. */
export async function urlOfRedirect(
  { db, structure, address }: Pick<RedirectPlace, 'db' | 'structure' | 'address'>,
  { rule, rest }: RedirectMatch<RedirectRule>,
): Promise<string | undefined> {
  const { destination } = rule
  if (destination.kind === 'external') return externalUrl(destination.url, rest)
  const path = await pathOfDestination(db, structure, destination)
  return path === undefined ? undefined : withSegments(address + path, rest)
}

/** Where a match leads within the site. */
async function leadOf(place: RedirectPlace, { rule, rest }: RedirectMatch<RedirectRule>) {
  const { destination } = rule
  const url =
    destination.kind === 'external'
      ? externalUrl(destination.url, rest)
      : await urlWithin(place, destination, rest)
  const own = url === undefined ? undefined : place.own.of(url)
  if (own === undefined) return undefined
  // A site also redirects paths with former names, unless a redirect is configured for them.
  const path = place.table.exact(own) ? own : ((await place.own.renamed(own)) ?? own)
  return { path, isPage: destination.kind !== 'external' && rest.length === 0 }
}

/** The URL on the site that a destination with these segments has; each destination is looked up once. */
async function urlWithin(
  { db, structure, address, paths }: RedirectPlace,
  destination: SiteDestination,
  rest: readonly string[],
): Promise<string | undefined> {
  if (!paths.has(destination)) paths.set(destination, await pathOfDestination(db, structure, destination))
  const path = paths.get(destination)
  return path === undefined ? undefined : withSegments(address + path, rest)
}

/** Stores a redirect, new or changed. */
export async function writeRedirect(tx: Tx, siteId: string, rule: RedirectRule): Promise<void> {
  const { id, source, destination, draft, captureWildcard, permanent, createdAt, updatedAt } = rule
  const fields = {
    source,
    destination: JSON.stringify(destination),
    draft: draft ? (1 as const) : (0 as const),
    captureWildcard: captureWildcard ? (1 as const) : (0 as const),
    permanent: permanent ? (1 as const) : (0 as const),
    updatedAt,
  }
  await tx
    .insertInto('siteRedirect')
    .values({ id, siteId, createdAt, ...fields })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(fields))
    .execute()
}

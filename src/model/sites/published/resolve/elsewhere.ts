/** Links from the pages of a site to other sites of this installation. */
import { referenceKey } from '../../../../core/document/links/references.ts'
import { sectionShownIf, shownIf } from '../../../places/default-site-space.ts'
import { type BodyTask, targetOfUrl } from '../../../../core/reading/body.ts'
import type { Reader } from '../../../../db/schema.ts'
import { absolute } from './addresses.ts'
import { linkTo, loadContent, type SiteServices, variantAddress } from '../content/site-content.ts'
import { findSite, type OpenSite } from '../open-site.ts'
import { openToEveryone } from '../open-to.ts'

/** Links of one text to more spaces than these keep their address. */
const SPACES_MOST = 20

/**
 * The versions of other sites on which a text depends: for each space that it links to, that of the public site that
 * shows the space. An empty string stands for no such site, and `mixed` for parts of the text that saw different ones.
 */
export type Elsewhere = ReadonlyMap<string, string>

/** The public sites that show these spaces to everyone, by space: of several, the one that had it first. */
async function publicSites(db: Reader, spaces: readonly string[]): Promise<Map<string, OpenSite>> {
  if (spaces.length === 0) return new Map()
  const rows = await db
    .selectFrom('siteSpace')
    .innerJoin('site', 'site.id', 'siteSpace.siteId')
    .innerJoin('organization', 'organization.id', 'site.organizationId')
    .innerJoin('space', 'space.id', 'siteSpace.spaceId')
    .leftJoin('siteSection', 'siteSection.id', 'siteSpace.sectionId')
    .select(({ fn }) => ['siteSpace.spaceId', fn.min('siteSpace.id').as('first')])
    .where('siteSpace.spaceId', 'in', [...spaces])
    .where('space.deletedAt', 'is', null)
    .where('site.published', '=', 1)
    .where('site.visibility', '=', 'public')
    .where(shownIf, 'is', null)
    .where(sectionShownIf, 'is', null)
    .groupBy('siteSpace.spaceId')
    .execute()
  if (rows.length === 0) return new Map()
  const names = await db
    .selectFrom('siteSpace')
    .innerJoin('site', 'site.id', 'siteSpace.siteId')
    .innerJoin('organization', 'organization.id', 'site.organizationId')
    .select(['siteSpace.spaceId', 'site.basename', 'organization.hostname as organizationHostname'])
    .where(
      'siteSpace.id',
      'in',
      rows.map(({ first }) => first),
    )
    .orderBy('siteSpace.spaceId')
    .execute()
  const sites = new Map<string, OpenSite>()
  for (const { spaceId, basename, organizationHostname } of names) {
    const place = await findSite(db, { organizationHostname, basename, base: '/' })
    if (place) sites.set(spaceId, await openToEveryone(db, place))
  }
  return sites
}

/** The version of no site: parts of the text show different ones. */
const MIXED = 'mixed'

const versionIn = (sites: ReadonlyMap<string, OpenSite>, space: string) => sites.get(space)?.version ?? ''

/** Whether other sites still show what a text shows of them. */
export async function isAsElsewhere(db: Reader, elsewhere: Elsewhere): Promise<boolean> {
  const sites = await publicSites(db, [...elsewhere.keys()])
  return elsewhere.entries().every(([space, version]) => versionIn(sites, space) === version)
}

/**
 * Gives the links of a body to pages and spaces that other sites publish the addresses and titles there. Only what
 * everyone may see there is named.
 * @param elsewhere what the text shows of other sites so far; the spaces that this body links to are added
 */
export async function nameOtherSites(
  services: SiteServices,
  { variants }: OpenSite,
  { page, included, targets }: BodyTask,
  elsewhere: Map<string, string>,
): Promise<void> {
  const own = new Set(variants.map(({ spaceId }) => spaceId))
  const refs = [page, ...included.values()].flatMap(({ references }) => [...references.values()])
  const named = refs.flatMap((ref) => {
    const isPlace = ref.kind === 'page' || ref.kind === 'anchor' || ref.kind === 'space'
    return isPlace && ref.space !== undefined && !own.has(ref.space) ? [{ ref, space: ref.space }] : []
  })
  const asked = new Set(named.map(({ space }) => space))
  const spaces = [
    ...asked.intersection(new Set([...new Set(elsewhere.keys()).union(asked)].slice(0, SPACES_MOST))),
  ]
  if (spaces.length === 0) return

  const sites = await publicSites(services.db, spaces)
  for (const space of spaces) {
    const version = versionIn(sites, space)
    elsewhere.set(space, (elsewhere.get(space) ?? version) === version ? version : MIXED)
  }
  for (const { ref, space } of named) {
    const open = sites.get(space)
    const variant = open?.variants.find(({ spaceId }) => spaceId === space)
    if (!open || !variant) continue
    const content = await loadContent(services, open, variant, variantAddress(open, variant))
    const found = linkTo(content, ref)
    if (found?.href === undefined) continue
    const { title, description, icon, emoji } = found
    // Without the cover: a page requests nothing from the host of another site.
    const href = found.href.startsWith('/') ? absolute(services.urls, content, found.href) : found.href
    const link = { href, title, description, icon, emoji, external: true }
    targets.set(referenceKey(ref), { ...targetOfUrl(ref), href: link })
  }
}

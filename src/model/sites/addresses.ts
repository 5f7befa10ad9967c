import { atLeast } from '../../access/roles/roles.ts'
import { sectionShownIf, shownIf } from '../places/default-site-space.ts'
import { ANONYMOUS, conditionsFor } from '../../access/visitors/visitors.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader, Role, Row } from '../../db/schema.ts'
import type { Sealing } from '../../http/route.ts'
import type { Urls } from '../../http/urls.ts'
import { keyOfShareLink } from './share-link.ts'

/** A caller who asks for the addresses of sites of an organization. */
interface AddressSeeker {
  urls: Urls
  sealing: Sealing
  organization: Row<'organization'>
  /** The caller's role on a site; null for its readers. */
  roleOn(site: Row<'site'>): Role | null
}

/**
 * The URLs at which a caller finds published sites open, by id. A site with share links has one for whoever sent a key of
 * it, and for those who may see the keys; without one of them, its address is closed, so it is left out. The address of a
 * site that shows no space to its readers is left out too.
 * @param sent the key that the caller sent, which opens the site
 */
export async function siteAddresses(
  db: Reader,
  { urls, sealing, organization, roleOn }: AddressSeeker,
  sites: readonly Row<'site'>[],
  sent?: string,
): Promise<Map<string, string>> {
  const filled = await sitesWithSpace(
    db,
    sites.filter((site) => site.published === 1),
  )
  const published = sites.filter(({ id }) => filled.has(id))
  const shared = published.filter(
    (site) => site.visibility === 'share-link' && atLeast(roleOn(site), 'create'),
  )
  const keys =
    sent === undefined
      ? await firstKeys(
          db,
          sealing,
          shared.map(({ id }) => id),
        )
      : undefined
  return new Map(
    published.flatMap((site): [string, string][] => {
      const address = urls.site(site, organization.hostname)
      if (site.visibility !== 'share-link') return [[site.id, address]]
      const key = sent ?? keys?.get(site.id)
      return key === undefined ? [] : [[site.id, `${address}${key}/`]]
    }),
  )
}

/** The sites that show a space to a stranger or, if they evaluate claims, perhaps to a reader whose claims they know. */
async function sitesWithSpace(db: Reader, sites: readonly Row<'site'>[]): Promise<ReadonlySet<string>> {
  const filled = new Set<string>()
  const adaptive = new Set(sites.filter((site) => site.adaptiveContent === 1).map(({ id }) => id))
  for (const some of chunks(sites.map(({ id }) => id))) {
    const rows = await db
      .selectFrom('siteSpace')
      .innerJoin('space', 'space.id', 'siteSpace.spaceId')
      .leftJoin('siteSection', 'siteSection.id', 'siteSpace.sectionId')
      .select(['siteSpace.siteId', shownIf.as('condition'), sectionShownIf.as('sectionCondition')])
      .distinct()
      .where('siteSpace.siteId', 'in', some)
      .where('space.deletedAt', 'is', null)
      .execute()
    for (const [siteId, places] of Map.groupBy(rows, (row) => row.siteId)) {
      const maySee = conditionsFor(ANONYMOUS)
      const isFilled =
        adaptive.has(siteId) ||
        places.some(({ condition, sectionCondition }) => maySee(condition) && maySee(sectionCondition))
      if (isFilled) filled.add(siteId)
    }
  }
  return filled
}

/** The key of the oldest active share link of each of these sites. */
async function firstKeys(
  db: Reader,
  sealing: Sealing,
  siteIds: readonly string[],
): Promise<Map<string, string>> {
  const keys = new Map<string, string>()
  for (const some of chunks(siteIds)) {
    const links = await db
      .selectFrom('siteShareLink')
      .select(['id', 'siteId', 'sealedKey'])
      .where('siteId', 'in', some)
      .where('active', '=', 1)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('siteShareLink')
          .select(({ fn }) => fn.min('id').as('first'))
          .where('active', '=', 1)
          .where('siteId', 'in', some)
          .groupBy('siteId'),
      )
      .execute()
    for (const link of links) keys.set(link.siteId, keyOfShareLink(sealing, link))
  }
  return keys
}

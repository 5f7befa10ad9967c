import { sql } from 'kysely'
import { loadReach, type Membership, type Reach } from '../../../access/roles/reach.ts'
import { atLeast } from '../../../access/roles/roles.ts'
import { ANONYMOUS, conditionsFor, isOpenSite, isOpenToAll } from '../../../access/visitors/visitors.ts'
import { withoutHidden } from '../../../core/document/markdown/hiding-tags.ts'
import type { Reader, Role, Row } from '../../../db/schema.ts'
import type { SiteVisibility } from '../../../db/site-tables.ts'
import type { Caller, Sealing } from '../../../http/route.ts'
import type { Urls } from '../../../http/urls.ts'
import {
  isDefaultSection,
  isDefaultSiteSpace,
  pathInSite,
  sectionShownIf,
  shownIf,
} from '../../places/default-site-space.ts'
import { siteAddresses } from '../addresses.ts'
import { findSite, type OpenSite } from '../published/open-site.ts'
import { openToEveryone } from '../published/open-to.ts'
import { shownLinks } from '../published/content/shown-links.ts'
import { inReadingOrder, type LinkRow, type SectionRow, type StructureOrder } from './reading-order.ts'

/** The most of each kind in one site. */
export const STRUCTURE_LIMITS = { siteSpaces: 1000, sections: 200, links: 200, groups: 100, groupDepth: 3 }

/** The structure of a site as a caller sees it. */
export interface SiteStructure extends StructureOrder<
  SectionRow,
  Row<'siteSectionGroup'>,
  Row<'siteSpace'>,
  LinkRow
> {
  urls: Urls
  site: Row<'site'>
  reach: Reach
  /** Whether the caller may know the conditions of the site: its members may, its readers not. */
  showsConditions: boolean
  /** The URL of the site for this caller; absent while it is not published, or if it needs a key that they do not have. */
  address: string | undefined
  /** The URL of a space of the site, with the same exceptions; absent too if its conditions hide it from all readers. */
  addressOf(siteSpace: Row<'siteSpace'>): string | undefined
  /** The path of a space below that of the site. */
  pathOf(siteSpace: Row<'siteSpace'>): string
  /** The site that limits the pages of a space for a caller who sees the space only as the site shows it. */
  readingOf(siteSpace: Row<'siteSpace'>): OpenSite | undefined
  /** The key of the share link that the caller uses. */
  key: string | undefined
}

/**
 * A query for the site spaces that a member may see: those whose space the member can read, and all of a site that is
 * open to everyone, unless a condition hides them (`shownSiteSpaces`). Spaces in the trash are left out.
 */
export function visibleSiteSpaces(db: Reader, reach: Reach) {
  return db
    .selectFrom('siteSpace')
    .innerJoin('site', 'site.id', 'siteSpace.siteId')
    .innerJoin('space', 'space.id', 'siteSpace.spaceId')
    .leftJoin('siteSection', 'siteSection.id', 'siteSpace.sectionId')
    .where('space.deletedAt', 'is', null)
    .where(sql<boolean>`(${isOpenSite} or ${reach.spacesFrom('read')})`)
}

/** Selects whether members have their own right to see a space of an open site. Otherwise, the conditions decide. */
export const ownRight = (reach: Reach) =>
  sql<0 | 1>`case when ${reach.spacesFrom('read')} then 1 else 0 end`.as('isOwn')

interface Gated {
  isOwn: 0 | 1
  shownIf: string | null
  sectionShownIf: string | null
}

/** Those of the rows that a member sees: a condition hides from them what it hides from a stranger. */
export function shownSiteSpaces<R extends Gated>(rows: readonly R[]): R[] {
  const maySee = conditionsFor(ANONYMOUS)
  return rows.filter((row) => row.isOwn === 1 || (maySee(row.shownIf) && maySee(row.sectionShownIf)))
}

/** The caller who asks for a site, as the access check of a route loads them. */
export interface Seen {
  urls: Urls
  sealing: Sealing
  me: Pick<Caller, 'userId'>
  organization: Row<'organization'>
  organizationRole: Role | null
  /** The caller's role on the site; null for its readers. */
  role: Role | null
  /** The site as the caller's site token, or the key that they sent, shows it. */
  reading?: OpenSite | undefined
}

/** The caller as a member of the organization of the site. */
export function memberOf({
  me,
  organization,
  organizationRole,
}: Pick<Seen, 'me' | 'organization' | 'organizationRole'>): Membership {
  return { userId: me.userId, organizationId: organization.id, role: organizationRole }
}

/**
 * The structure of a site as a caller sees it: a member with their own rights and what strangers see, a reader as the site
 * shows it to them. A section without a visible space is left out, except for members who manage sites. Other members see
 * the links that strangers see.
 */
export async function loadStructure(db: Reader, site: Row<'site'>, seen: Seen): Promise<SiteStructure> {
  const { urls, reading, role } = seen
  const reach = role === null ? noReach : await loadReach(db, memberOf(seen))
  const { siteSpaces, own, hidden } = await readSiteSpaces(db, site, reach, reading)
  const showsConditions = role !== null
  const { sections, groups, links } = textsFor(await readSections(db, site.id), showsConditions)
  const filled = new Set(siteSpaces.map(({ sectionId }) => sectionId))
  const manages = atLeast(role, 'create')
  const shown = manages ? sections : sections.filter(({ id }) => filled.has(id))
  const others = siteSpaces.some(({ id }) => !own.has(id)) || (!manages && links.length > 0)
  const strangers = reading ?? (others ? await openToStrangers(db, site, seen.organization) : undefined)
  const order = inReadingOrder(
    {
      siteSpaces,
      sections: shown,
      groups,
      links: manages ? links : await shownLinks({ db, urls }, strangers, links),
    },
    { keepEmptyGroups: manages },
  )
  const sectionOf = new Map(order.sections.map((section) => [section.id, section]))
  const key = reading?.visit.key
  const address = (await siteAddresses(db, { ...seen, roleOn: () => role }, [site], key)).get(site.id)
  const pathOf: SiteStructure['pathOf'] = ({ path, isDefault, sectionId }) => {
    const section = sectionId === null ? undefined : sectionOf.get(sectionId)
    return pathInSite({ path, isDefault, sectionPath: section?.path, sectionIsDefault: section?.isDefault })
  }
  return {
    ...order,
    urls,
    site: showsConditions ? site : { ...site, title: withoutHidden(site.title) },
    reach,
    showsConditions,
    address,
    addressOf: (siteSpace) =>
      address && !hidden.has(siteSpace.id) ? address + pathOf(siteSpace) : undefined,
    pathOf,
    readingOf: ({ id }) => (own.has(id) ? undefined : strangers),
    key,
  }
}

/** The sections and groups, whose texts have no conditions for readers: nothing evaluates them there. */
function textsFor(found: Awaited<ReturnType<typeof readSections>>, showsConditions: boolean) {
  if (showsConditions) return found
  const { sections, groups } = found
  return {
    ...found,
    sections: sections.map((row) => ({
      ...row,
      title: withoutHidden(row.title),
      description: row.description === null ? null : withoutHidden(row.description),
    })),
    groups: groups.map((row) => ({ ...row, title: withoutHidden(row.title) })),
  }
}

/** The reach of a reader who is no member: they have a right on no space. */
const noReach: Reach = {
  onCollection: () => null,
  spacesFrom: () => sql<boolean>`1 = 0`,
  countSpaces: async () => 0,
  onSpaces: async () => () => null,
}

/**
 * The spaces of a site that a caller sees, the ids of those on which they have a right of their own, and the ids of those
 * that no reader sees: without adaptive content, a condition hides from all what it hides from a stranger.
 */
async function readSiteSpaces(
  db: Reader,
  { id, adaptiveContent }: Row<'site'>,
  reach: Reach,
  reading: OpenSite | undefined,
): Promise<{ siteSpaces: Row<'siteSpace'>[]; own: ReadonlySet<string>; hidden: ReadonlySet<string> }> {
  const rows = await db
    .selectFrom('siteSpace')
    .innerJoin('site', 'site.id', 'siteSpace.siteId')
    .innerJoin('space', 'space.id', 'siteSpace.spaceId')
    .leftJoin('siteSection', 'siteSection.id', 'siteSpace.sectionId')
    .selectAll('siteSpace')
    .select(isDefaultSiteSpace.as('isDefault'))
    .select([shownIf.as('shownIf'), sectionShownIf.as('sectionShownIf'), 'site.published', 'site.visibility'])
    .select(ownRight(reach))
    .where('siteSpace.siteId', '=', id)
    .where('space.deletedAt', 'is', null)
    .orderBy('siteSpace.id')
    .execute()
  const readable = new Set(reading?.variants.map(({ siteSpaceId }) => siteSpaceId))
  const open = new Set(shownSiteSpaces(rows.filter(isOpenToAll)).map((row) => row.id))
  const maySee = conditionsFor(ANONYMOUS)
  const hidden = rows.filter((row) => !maySee(row.shownIf) || !maySee(row.sectionShownIf))
  const isSeen = (row: (typeof rows)[number]) =>
    row.isOwn === 1 || readable.has(row.id) || (reading === undefined && open.has(row.id))
  return {
    siteSpaces: rows.filter(isSeen).map(toSiteSpaceRow),
    own: new Set(rows.filter(({ isOwn }) => isOwn === 1).map((row) => row.id)),
    hidden: new Set(adaptiveContent === 1 ? [] : hidden.map((row) => row.id)),
  }
}

function toSiteSpaceRow({
  shownIf: _shownIf,
  sectionShownIf: _sectionShownIf,
  published: _published,
  visibility: _visibility,
  isOwn: _isOwn,
  ...row
}: Row<'siteSpace'> & Gated & { published: 0 | 1; visibility: SiteVisibility }): Row<'siteSpace'> {
  return row
}

/** An open site as strangers see it. */
async function openToStrangers(
  db: Reader,
  { basename }: Row<'site'>,
  { hostname }: Row<'organization'>,
): Promise<OpenSite | undefined> {
  const place = await findSite(db, { organizationHostname: hostname, basename, base: '/' })
  return place && openToEveryone(db, place)
}

/** All sections, groups and links of a site, in no order. */
export async function readSections(db: Reader, siteId: string) {
  return {
    sections: (await db
      .selectFrom('siteSection')
      .selectAll()
      .select(isDefaultSection.as('isDefault'))
      .where('siteId', '=', siteId)
      .execute()) as SectionRow[],
    groups: await db.selectFrom('siteSectionGroup').selectAll().where('siteId', '=', siteId).execute(),
    links: await db.selectFrom('siteExternalLink').selectAll().where('siteId', '=', siteId).execute(),
  }
}

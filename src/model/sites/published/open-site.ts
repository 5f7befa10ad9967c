import { hash } from 'node:crypto'
import { isOpenToAll } from '../../../access/visitors/visitors.ts'
import { withoutHidden } from '../../../core/document/markdown/hiding-tags.ts'
import { ASSET_BASE, ASSETS_OF_SITE, SITES_PATH } from '../../../core/web/site-paths.ts'
import { prepare } from '../../../db/prepare.ts'
import type { Reader, Row } from '../../../db/schema.ts'
import {
  isDefaultSection,
  isDefaultSiteSpace,
  pathInSite,
  sectionShownIf,
  shownIf,
} from '../../places/default-site-space.ts'
import type { Visit } from './visit.ts'
import { inReadingOrder, type StructureItem } from '../structure/reading-order.ts'

/** A published space of a site. As in its site and its section, the texts are without conditions, which nothing evaluates there. */
export interface Variant {
  siteSpaceId: string
  spaceId: string
  title: string
  language: string | null
  emoji: string | null
  path: string
  isDefault: boolean
  revisionId: string
  condition: string | null
  section: Section | undefined
  /** Its address below that of the site: empty, or with a slash at its end. */
  home: string
}

/** A section of a site. */
export interface Section {
  id: string
  title: string
  icon: string | null
  description: string | null
  path: string
  isDefault: boolean
  condition: string | null
  groupId: string | null
  position: string
}

/** What readers find on a site. */
export interface SiteParts {
  items: StructureItem<Section>[]
  variants: Variant[]
}

/** A site, whoever may see it, and the path at which it is served. */
export interface ServedSite {
  site: Pick<
    Row<'site'>,
    'id' | 'title' | 'icon' | 'visibility' | 'basename' | 'hostname' | 'proxy' | 'organizationId' | 'version'
  >
  organizationHostname: string
  /** The sections, groups and links, or none; in reading order, as the variants. */
  items: StructureItem<Section>[]
  variants: Variant[]
  /** The same with drafts, for previews. */
  withDrafts(): SiteParts
  /** Differs for each site and base, and changes whenever anything that a page of the site shows may have changed. */
  version: string
  /** Path of the site on the host that the reader asked for, with slashes at both ends. */
  base: string
  /** The path below which the reader finds the assets of all sites. */
  assets: string
  /** Whether a proxy forwards the request from the origin of the site. */
  proxied: boolean
  /** Whether the pages run in an opaque origin, because the reader finds them on the host of the API. */
  sandboxed: boolean
  published: boolean
  /** Whether the site evaluates the claims of its visitors. */
  adaptive: boolean
}

/** A site as a reader sees it, who may see it. `admit` makes it. */
export interface OpenSite extends Omit<ServedSite, 'withDrafts'> {
  visit: Visit
  /** Like `version`, but the same for every time at which addresses of files are signed. */
  view: string
}

/** Where a request looks for a site. */
export interface SiteLookup {
  organizationHostname: string
  basename: string
  /** The path of the site on the host of the request, with slashes at both ends. */
  base: string
  /** The host that the reader asked a proxy for, if that differs from the host of the request. */
  forwardedHost?: string | undefined
}

/**
 * The site with this base name at an organization's host name, if it exists. Not every reader may see it. If a proxy
 * forwards the request from the origin of the site, the site has the path of the origin.
 */
export async function findSite(
  db: Reader,
  { organizationHostname, basename, base, forwardedHost }: SiteLookup,
): Promise<ServedSite | undefined> {
  const rows = await placesOfSite(db, organizationHostname, basename)
  const [first] = rows
  if (!first) return undefined
  const groups = await groupsOfSite(db, first.id)
  const links = await linksOfSite(db, first.id)
  const origin = forwardedHost === undefined ? undefined : originOf(first.proxy)
  const proxied = origin !== undefined && origin.host === forwardedHost
  const at = { organizationHostname, base: proxied ? origin.path : base, proxied }
  // `prepare` returns the same rows while nothing changed, so the result can be cached by their identity.
  const known = opened.get(rows)
  const isSame = known?.groups === groups && known.links === links
  if (isSame && known.open.base === at.base && known.open.proxied === proxied) return known.open
  const open = openSite(rows, { groups, links }, at)
  opened.set(rows, { groups, links, open })
  return open
}

/** The most characters of an origin. */
export const LONGEST_ORIGIN = 512

/** The host of an origin in lower case, and its path with slashes at both ends. */
export function originOf(proxy: string | null): { host: string; path: string } | undefined {
  if (proxy === null) return undefined
  const slash = proxy.indexOf('/')
  return { host: proxy.slice(0, slash).toLowerCase(), path: `${proxy.slice(slash)}/` }
}

type Place = Awaited<ReturnType<typeof placesOfSite>>[number]
type Groups = Awaited<ReturnType<typeof groupsOfSite>>
type Links = Awaited<ReturnType<typeof linksOfSite>>
const opened = new WeakMap<readonly Place[], { groups: Groups; links: Links; open: ServedSite }>()

function openSite(
  rows: readonly Place[],
  { groups, links }: { groups: Groups; links: Links },
  { organizationHostname, base, proxied }: Pick<ServedSite, 'organizationHostname' | 'base' | 'proxied'>,
): ServedSite {
  const { id, title, icon, visibility, basename, hostname, proxy, organizationId, version } = rows[0]!
  const parts = { rows, groups, links }
  const shown = sitePartsFor(parts, { drafts: false })
  let all: SiteParts | undefined
  const made = [id, base, proxied, organizationHostname, version, rows, groups, links]
  return {
    site: {
      id,
      title: withoutHidden(title),
      icon,
      visibility,
      basename,
      hostname,
      proxy,
      organizationId,
      version,
    },
    organizationHostname,
    ...shown,
    withDrafts: () => (all ??= sitePartsFor(parts, { drafts: true })),
    version: hash('sha1', JSON.stringify(made), 'base64url'),
    base,
    // The origin forwards only its own path.
    assets: proxied ? base + ASSETS_OF_SITE : ASSET_BASE,
    proxied,
    sandboxed: !proxied && base.startsWith(SITES_PATH),
    published: rows[0]!.published === 1,
    adaptive: rows[0]!.adaptiveContent === 1,
  }
}

/** The parts of a site in reading order. A draft has a condition that nobody meets, unless drafts are shown. */
function sitePartsFor(
  { rows, groups, links }: { rows: readonly Place[]; groups: Groups; links: Links },
  { drafts }: { drafts: boolean },
): SiteParts {
  const sections = new Map<string, Section>()
  for (const row of rows) if (row.sectionId !== null) sections.set(row.sectionId, sectionOf(row, drafts))
  const spaces = rows.map((row) => ({ ...row, id: row.siteSpaceId, position: row.siteSpacePosition }))
  const isShown = ({ draft }: { draft: 0 | 1 }) => drafts || draft === 0
  const order = inReadingOrder(
    {
      sections: [...sections.values()],
      groups: groups.filter(isShown).map((group) => ({ ...group, title: withoutHidden(group.title) })),
      siteSpaces: spaces,
      links: links.filter(isShown),
    },
    { keepEmptyGroups: false },
  )
  return {
    items: order.items,
    variants: order.siteSpaces.map((row) => ({
      siteSpaceId: row.siteSpaceId,
      spaceId: row.spaceId,
      title: withoutHidden(row.spaceTitle),
      language: row.languageTag ?? row.language,
      emoji: row.emoji,
      path: row.path,
      isDefault: row.isDefault === 1,
      revisionId: row.revisionId,
      condition: drafts ? row.ownCondition : row.condition,
      section: row.sectionId === null ? undefined : sections.get(row.sectionId),
      home: pathInSite(row),
    })),
  }
}

function sectionOf(row: Place, drafts: boolean): Section {
  return {
    id: row.sectionId ?? '',
    title: withoutHidden(row.sectionTitle ?? ''),
    icon: row.sectionIcon,
    description: row.sectionDescription === null ? null : withoutHidden(row.sectionDescription),
    path: row.sectionPath ?? '',
    isDefault: row.sectionIsDefault === 1,
    condition: drafts ? row.ownSectionCondition : row.sectionCondition,
    groupId: row.groupId,
    position: row.sectionPosition ?? '',
  }
}

const placesOfSite = prepare((db, argument) =>
  db
    .selectFrom('site')
    .innerJoin('organization', 'organization.id', 'site.organizationId')
    .innerJoin('siteSpace', 'siteSpace.siteId', 'site.id')
    .innerJoin('space', 'space.id', 'siteSpace.spaceId')
    .leftJoin('siteSection', 'siteSection.id', 'siteSpace.sectionId')
    .select(['site.id', 'site.title', 'site.icon', 'site.visibility', 'site.basename', 'site.hostname'])
    .select([
      'site.proxy',
      'site.published',
      'site.adaptiveContent',
      'site.organizationId',
      'site.version',
      'site.updatedAt',
    ])
    .select(['siteSpace.id as siteSpaceId', 'siteSpace.path', 'siteSpace.spaceId', shownIf.as('condition')])
    .select(['siteSpace.sectionId', 'siteSpace.position as siteSpacePosition'])
    .select([isDefaultSiteSpace.as('isDefault'), isDefaultSection.as('sectionIsDefault')])
    .select(['siteSection.title as sectionTitle', 'siteSection.path as sectionPath'])
    .select(['siteSection.icon as sectionIcon', 'siteSection.description as sectionDescription'])
    .select([sectionShownIf.as('sectionCondition'), 'siteSection.position as sectionPosition'])
    .select(['siteSection.groupId', 'siteSection.condition as ownSectionCondition'])
    .select('siteSpace.condition as ownCondition')
    .select(['space.title as spaceTitle', 'space.revisionId', 'space.language', 'space.languageTag'])
    .select('space.emoji')
    .select('space.updatedAt as spaceUpdatedAt')
    // Pages show the newest versions of the organization's OpenAPI specifications, by their settings.
    .select((eb) => [
      eb
        .selectFrom('openapiSpec')
        .whereRef('openapiSpec.organizationId', '=', 'site.organizationId')
        .select(({ fn }) => fn.max('openapiSpec.lastVersion').as('newest'))
        .as('specVersion'),
      eb
        .selectFrom('openapiSpec')
        .whereRef('openapiSpec.organizationId', '=', 'site.organizationId')
        .select(({ fn }) => fn.max('openapiSpec.updatedAt').as('changed'))
        .as('specUpdatedAt'),
      eb
        .selectFrom('openapiSpec')
        .whereRef('openapiSpec.organizationId', '=', 'site.organizationId')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('specCount'),
    ])
    .where('organization.hostname', '=', argument(0))
    .where('site.basename', '=', argument(1))
    .where('space.deletedAt', 'is', null),
)

const groupsOfSite = prepare((db, argument) =>
  db.selectFrom('siteSectionGroup').selectAll().where('siteId', '=', argument(0)),
)

const linksOfSite = prepare((db, argument) =>
  db.selectFrom('siteExternalLink').selectAll().where('siteId', '=', argument(0)),
)

/** The site that is served at a host name of its own. */
export async function siteAtHost(
  db: Reader,
  host: string,
): Promise<{ organizationHostname: string; basename: string; published: number } | undefined> {
  return (await atHost(db, host))[0]
}

const atHost = prepare((db, argument) =>
  db
    .selectFrom('customHostname')
    .innerJoin('site', 'site.id', 'customHostname.siteId')
    .innerJoin('organization', 'organization.id', 'site.organizationId')
    .select(['organization.hostname as organizationHostname', 'site.basename', 'site.published'])
    .where('customHostname.hostname', '=', argument(0))
    .where('customHostname.isActive', '=', 1),
)

/** The base name of the site that had this base name before. Not every reader may know that there is one. */
export async function renamedSite(
  db: Reader,
  organizationHostname: string,
  basename: string,
): Promise<string | undefined> {
  const rows = await renamed(db, organizationHostname, basename)
  return rows[0]?.basename
}

const renamed = prepare((db, argument) =>
  db
    .selectFrom('siteOldBasename')
    .innerJoin('organization', 'organization.id', 'siteOldBasename.organizationId')
    .innerJoin('site', 'site.id', 'siteOldBasename.siteId')
    .select('site.basename')
    .where('organization.hostname', '=', argument(0))
    .where('siteOldBasename.basename', '=', argument(1)),
)

/** The published sites at an organization's host name that visitors may see, oldest first. */
export async function listOpenSites(db: Reader, organizationHostname: string) {
  const sites = await db
    .selectFrom('site')
    .innerJoin('organization', 'organization.id', 'site.organizationId')
    .select(['site.id', 'site.title', 'site.basename', 'site.hostname', 'site.proxy'])
    .select(['site.published', 'site.visibility'])
    .select('organization.defaultContent')
    .where('organization.hostname', '=', organizationHostname)
    .orderBy('site.id')
    .execute()
  return sites.filter(isOpenToAll)
}

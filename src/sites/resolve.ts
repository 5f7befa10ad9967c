import { maySeeSite } from '../access/visitors.ts'
import { prepare } from '../db/prepare.ts'
import type { Reader, Row } from '../db/schema.ts'

/** A published space of a site. */
export interface Variant {
  siteSpaceId: string
  spaceId: string
  title: string
  language: string | null
  emoji: string | null
  path: string
  isDefault: boolean
  revisionId: string
}

/** A site that its visitors may see, and where it begins. */
export interface OpenSite {
  site: Pick<Row<'site'>, 'id' | 'title' | 'icon' | 'visibility' | 'basename' | 'hostname' | 'organizationId'>
  organizationHostname: string
  variants: Variant[]
  /** Changes whenever anything that a page of the site shows may have changed. */
  version: string
  /** Path of the site on its host, with slashes at both ends. */
  base: string
}

/** The site with this base name at an organization's host name, if there is one that visitors may see. */
export async function findSite(
  db: Reader,
  organizationHostname: string,
  basename: string,
  base: string,
): Promise<OpenSite | undefined> {
  const rows = await placesOfSite(db, organizationHostname, basename)
  // The rows are the same object while nothing changed, and then so is what is made of them.
  const known = opened.get(rows)
  if (known?.base === base) return known
  const open = openSite(rows, organizationHostname, base)
  if (open) opened.set(rows, open)
  return open
}

type Place = Awaited<ReturnType<typeof placesOfSite>>[number]
const opened = new WeakMap<readonly Place[], OpenSite>()

function openSite(rows: readonly Place[], organizationHostname: string, base: string): OpenSite | undefined {
  const [first] = rows
  if (!first || !maySeeSite(first)) return undefined

  const { id, title, icon, visibility, basename, hostname, organizationId } = first
  return {
    site: { id, title, icon, visibility, basename, hostname, organizationId },
    organizationHostname,
    variants: rows.map((row, i) => ({
      siteSpaceId: row.siteSpaceId,
      spaceId: row.spaceId,
      title: row.spaceTitle,
      language: row.language,
      emoji: row.emoji,
      path: row.path,
      // The default space may be in the trash; then the first one left takes its place.
      isDefault: row.isDefault === 1 || (i === 0 && rows.every(({ isDefault }) => isDefault === 0)),
      revisionId: row.revisionId,
    })),
    version: [
      organizationHostname,
      first.updatedAt,
      ...rows.flatMap((row) => [row.revisionId, row.spaceUpdatedAt, row.path]),
    ].join(' '),
    base,
  }
}

const placesOfSite = prepare((db, argument) =>
  db
    .selectFrom('site')
    .innerJoin('organization', 'organization.id', 'site.organizationId')
    .innerJoin('siteSpace', 'siteSpace.siteId', 'site.id')
    .innerJoin('space', 'space.id', 'siteSpace.spaceId')
    .select(['site.id', 'site.title', 'site.icon', 'site.visibility', 'site.basename', 'site.hostname'])
    .select(['site.published', 'site.organizationId', 'site.updatedAt'])
    .select(['siteSpace.id as siteSpaceId', 'siteSpace.path', 'siteSpace.isDefault', 'siteSpace.spaceId'])
    .select(['space.title as spaceTitle', 'space.revisionId', 'space.language', 'space.emoji'])
    .select('space.updatedAt as spaceUpdatedAt')
    .where('organization.hostname', '=', argument(0))
    .where('site.basename', '=', argument(1))
    .where('space.deletedAt', 'is', null)
    .orderBy('siteSpace.position')
    .orderBy('siteSpace.id'),
)

/** The published sites at an organization's host name that visitors may see, oldest first. */
export async function listOpenSites(db: Reader, organizationHostname: string) {
  const sites = await db
    .selectFrom('site')
    .innerJoin('organization', 'organization.id', 'site.organizationId')
    .select(['site.id', 'site.title', 'site.basename', 'site.hostname', 'site.published', 'site.visibility'])
    .select('organization.defaultContent')
    .where('organization.hostname', '=', organizationHostname)
    .orderBy('site.id')
    .execute()
  return sites.filter(maySeeSite)
}

/** The space that a path within a site belongs to, and the rest of the path. */
export function chooseVariant(
  open: OpenSite,
  path: string,
): { variant: Variant; rest: string; base: string } | undefined {
  const [first = '', ...others] = path.split('/')
  const named = open.variants.find((variant) => !variant.isDefault && variant.path === first)
  if (named) return { variant: named, rest: others.join('/'), base: `${open.base}${named.path}/` }
  const variant = open.variants.find(({ isDefault }) => isDefault)
  return variant && { variant, rest: path, base: open.base }
}

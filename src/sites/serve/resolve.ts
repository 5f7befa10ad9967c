import { hash } from 'node:crypto'
import { maySeeSite } from '../../access/visitors.ts'
import { prepare } from '../../db/prepare.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { isDefaultSiteSpace } from '../../model/places/default-site-space.ts'

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

/** A site that visitors may see, and the path at which it is served. */
export interface OpenSite {
  site: Pick<Row<'site'>, 'id' | 'title' | 'icon' | 'visibility' | 'basename' | 'hostname' | 'organizationId'>
  organizationHostname: string
  variants: Variant[]
  /** Differs for each site and base, and changes whenever anything that a page of the site shows may have changed. */
  version: string
  /** Path of the site on its host, with slashes at both ends. */
  base: string
}

/** The site with this base name at an organization's host name, if it exists and visitors may see it. */
export async function findSite(
  db: Reader,
  organizationHostname: string,
  basename: string,
  base: string,
): Promise<OpenSite | undefined> {
  const rows = await placesOfSite(db, organizationHostname, basename)
  // `prepare` returns the same rows while nothing changed, so the result can be cached by their identity.
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
    variants: rows.map((row) => ({
      siteSpaceId: row.siteSpaceId,
      spaceId: row.spaceId,
      title: row.spaceTitle,
      language: row.language,
      emoji: row.emoji,
      path: row.path,
      isDefault: row.isDefault === 1,
      revisionId: row.revisionId,
    })),
    version: hash(
      'sha1',
      [
        id,
        base,
        organizationHostname,
        first.updatedAt,
        ...rows.flatMap((row) => [
          row.siteSpaceId,
          row.isDefault,
          row.revisionId,
          row.spaceUpdatedAt,
          row.path,
        ]),
      ].join(' '),
      'base64url',
    ),
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
    .select(['siteSpace.id as siteSpaceId', 'siteSpace.path', 'siteSpace.spaceId'])
    .select(isDefaultSiteSpace.as('isDefault'))
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
  const name = decodePath(first)
  const named = open.variants.find((variant) => !variant.isDefault && variant.path === name)
  if (named)
    return { variant: named, rest: others.join('/'), base: `${open.base}${encodeURIComponent(named.path)}/` }
  const variant = open.variants.find(({ isDefault }) => isDefault)
  return variant && { variant, rest: path, base: open.base }
}

/** Decodes the segments of a path. A path that is not valid percent-encoding is returned as it is: nothing has it. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return path.split('/').map(decodeURIComponent).join('/')
  } catch {
    return path
  }
}

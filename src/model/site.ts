import { type Static, Type } from 'typebox'
import { loadReach, type Membership } from '../access/reach.ts'
import type { Reader, Row, Tx } from '../db/schema.ts'
import { slugify } from '../core/slug.ts'
import { uniqueSlug } from '../core/tree-rules.ts'
import type { Addresses } from '../http/addresses.ts'
import { between } from '../core/order.ts'
import { nullable, oneOf, present, Timestamp, Uri } from './common.ts'
import { Space, toSpaces } from './space.ts'

export const SITE_TYPES = [
  'basic',
  'premium',
  'ultimate',
  'sponsored',
  'legacy-basic',
  'legacy-premium',
] as const
export const SITE_VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const
export const SiteTitle = Type.String({ minLength: 2, maxLength: 128, pattern: '\\S' })

const Pair = Type.Object({ light: Type.String(), dark: Type.String() })
const Icon = Type.Unsafe<{ icon: { light: string; dark: string } } | { emoji: string }>({
  anyOf: [Type.Object({ icon: Pair }), Type.Object({ emoji: Type.String() })],
})

export const Site = Type.Object(
  {
    object: oneOf(['site']),
    id: Type.String(),
    type: oneOf(SITE_TYPES),
    title: Type.String(),
    icon: Type.Optional(nullable(Icon)),
    hostname: Type.Optional(Type.String()),
    basename: Type.Optional(Type.String()),
    proxy: Type.Optional(Type.Object({ origin: Type.String(), target: Type.String() })),
    visibility: oneOf(SITE_VISIBILITIES),
    published: Type.Boolean(),
    siteSpaces: Type.Integer(),
    createdAt: Timestamp,
    adaptiveContent: Type.Object({ enabled: Type.Boolean() }),
    features: Type.Array(Type.Object({ id: Type.String(), plan: Type.String(), frozen: Type.Boolean() })),
    agentsContext: oneOf(['excluded', 'included']),
    urls: Type.Object({ location: Uri, app: Uri, published: Type.Optional(Uri) }),
  },
  { title: 'Site' },
)
export type Site = Static<typeof Site>

/** Sites of one organization; how many spaces each has comes from one query. */
export async function toSites(
  at: Addresses,
  db: Reader,
  organization: Row<'organization'>,
  rows: Row<'site'>[],
): Promise<Site[]> {
  const counts = await countSpaces(db, rows)

  return rows.map((row) => {
    const address = at.site(row, organization.hostname)
    return {
      object: 'site',
      id: row.id,
      type: row.type as Site['type'],
      title: row.title,
      ...present({
        hostname: row.hostname,
        proxy: row.proxy ? { origin: address, target: row.proxy } : undefined,
      }),
      icon: row.icon ? (JSON.parse(row.icon) as NonNullable<Site['icon']>) : null,
      basename: row.basename,
      visibility: row.visibility,
      published: row.published === 1,
      siteSpaces: counts.get(row.id) ?? 0,
      createdAt: row.createdAt,
      adaptiveContent: { enabled: row.adaptiveContent === 1 },
      features: [],
      agentsContext: 'included',
      urls: {
        location: at.api(`/orgs/${row.organizationId}/sites/${row.id}`),
        app: at.app(`/o/${row.organizationId}/sites/${row.id}`),
        ...present({ published: row.published === 1 ? address : undefined }),
      },
    }
  })
}

export async function toSite(
  at: Addresses,
  db: Reader,
  organization: Row<'organization'>,
  row: Row<'site'>,
): Promise<Site> {
  const [site] = await toSites(at, db, organization, [row])
  if (!site) throw new Error('one row makes one site')
  return site
}

async function countSpaces(db: Reader, sites: Row<'site'>[]): Promise<Map<string, number>> {
  if (sites.length === 0) return new Map()
  const rows = await db
    .selectFrom('siteSpace')
    .innerJoin('space', 'space.id', 'siteSpace.spaceId')
    .select(['siteId', (eb) => eb.fn.countAll().as('count')])
    .where('space.deletedAt', 'is', null)
    .where(
      'siteId',
      'in',
      sites.map(({ id }) => id),
    )
    .groupBy('siteId')
    .execute()
  return new Map(rows.map(({ siteId, count }) => [siteId, Number(count)]))
}

export const SiteSpace = Type.Object(
  {
    object: oneOf(['site-space']),
    id: Type.String(),
    path: Type.String(),
    title: Type.String(),
    space: Space,
    default: Type.Boolean(),
    urls: Type.Object({ published: Type.Optional(Uri) }),
  },
  { title: 'SiteSpace' },
)

/**
 * The spaces of a site that the caller may see, in their order.
 * @param address where the site is; absent while it is not published
 */
export async function siteSpacesOf(
  at: Addresses,
  db: Reader,
  site: Row<'site'>,
  address: string | undefined,
  member: Membership,
) {
  const rows = await db
    .selectFrom('siteSpace')
    .selectAll()
    .where('siteId', '=', site.id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const ids = rows.map(({ spaceId }) => spaceId)
  const spaces =
    ids.length === 0 ? [] : await db.selectFrom('space').selectAll().where('id', 'in', ids).execute()
  const reach = await loadReach(db, member)
  const roleOf = await reach.onSpaces(db, spaces)
  const visible = spaces.filter((space) => space.deletedAt === null && roleOf(space) !== null)
  const shown = new Map((await toSpaces(at, db, visible, roleOf)).map((space) => [space.id, space]))

  return rows.flatMap(({ id, path, spaceId, isDefault }) => {
    const space = shown.get(spaceId)
    if (!space) return []
    const published = address && (isDefault ? address : `${address}${path}/`)
    return [
      {
        object: 'site-space' as const,
        id,
        path,
        title: space.title,
        space,
        default: isDefault === 1,
        urls: present({ published }),
      },
    ]
  })
}

/** Creates a site that is not published yet, at an address made from its title. */
export async function insertSite(
  tx: Tx,
  fields: {
    organizationId: string
    title: string
    type: Site['type']
    visibility: Site['visibility']
    now: Date
    newId: () => string
  },
): Promise<Row<'site'>> {
  const { organizationId, title, type, visibility, newId } = fields
  const createdAt = fields.now.toISOString()
  const taken = await tx
    .selectFrom('site')
    .select('basename')
    .where('organizationId', '=', organizationId)
    .execute()
  const site: Row<'site'> = {
    id: newId(),
    organizationId,
    type,
    title,
    icon: null,
    basename: uniqueSlug(
      slugify(title).slice(0, 80) || 'docs',
      new Set(taken.map(({ basename }) => basename)),
    ),
    hostname: null,
    visibility,
    published: 0,
    proxy: null,
    adaptiveContent: 0,
    createdAt,
    updatedAt: createdAt,
  }
  await tx.insertInto('site').values(site).execute()
  return site
}

/** Adds a space at the end of a site; the first one is the default, which has no segment of its own in addresses. */
export async function addSiteSpace(
  tx: Tx,
  site: Row<'site'>,
  space: Row<'space'>,
  { now, newId }: { now: Date; newId: () => string },
): Promise<void> {
  const others = await tx
    .selectFrom('siteSpace')
    .select(['path', 'position'])
    .where('siteId', '=', site.id)
    .orderBy('position')
    .execute()
  await tx
    .insertInto('siteSpace')
    .values({
      id: newId(),
      siteId: site.id,
      spaceId: space.id,
      path: uniqueSlug(slugify(space.title).slice(0, 80) || 'docs', new Set(others.map(({ path }) => path))),
      isDefault: others.length === 0 ? 1 : 0,
      position: between(others.at(-1)?.position ?? null, null),
      createdAt: now.toISOString(),
    })
    .execute()
}

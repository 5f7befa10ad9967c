import { type Static, Type } from 'typebox'
import type { Membership } from '../../access/reach.ts'
import { uniqueSlug } from '../../core/content/tree/rules.ts'
import { shorten } from '../../core/shorten.ts'
import { slugify } from '../../core/slug.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { nullable, oneOf, omitNullish, Timestamp, titleOf, Uri } from '../common.ts'
import { countSiteSpaces } from './site-space.ts'

const LONGEST_BASENAME = 80

export const SITE_TYPES = [
  'basic',
  'premium',
  'ultimate',
  'sponsored',
  'legacy-basic',
  'legacy-premium',
] as const
export const SITE_VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const
export const SiteTitle = titleOf(128, 2)

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
    proxy: Type.Optional(
      Type.Object({
        origin: Type.String({ description: 'Host and path at which visitors reach the site' }),
        target: Type.String({ description: 'The URL of the site, to which the origin forwards requests' }),
      }),
    ),
    visibility: oneOf(SITE_VISIBILITIES),
    published: Type.Boolean(),
    siteSpaces: Type.Integer({ description: 'Number of spaces of the site that the caller can see' }),
    createdAt: Timestamp,
    adaptiveContent: Type.Object({ enabled: Type.Boolean() }),
    features: Type.Array(Type.Object({ id: Type.String(), plan: Type.String(), frozen: Type.Boolean() })),
    agentsContext: oneOf(['excluded', 'included']),
    urls: Type.Object({ location: Uri, app: Uri, published: Type.Optional(Uri) }),
  },
  { title: 'Site' },
)
export type Site = Static<typeof Site>

/** Sites of one organization as one of its members sees them. */
export async function toSites(
  urls: Urls,
  db: Reader,
  organization: Row<'organization'>,
  rows: Row<'site'>[],
  member: Membership,
): Promise<Site[]> {
  const counts = await countSiteSpaces(db, rows, member)

  return rows.map((row) => {
    const address = urls.site(row, organization.hostname)
    return {
      object: 'site',
      id: row.id,
      type: row.type as Site['type'],
      title: row.title,
      ...omitNullish({
        hostname: row.hostname,
        proxy: row.proxy ? { origin: row.proxy, target: address } : undefined,
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
        location: urls.api(`/orgs/${row.organizationId}/sites/${row.id}`),
        app: urls.app(`/o/${row.organizationId}/sites/${row.id}`),
        ...omitNullish({ published: row.published === 1 ? address : undefined }),
      },
    }
  })
}

/** One site as a member of its organization sees it. */
export async function toSite(
  urls: Urls,
  db: Reader,
  organization: Row<'organization'>,
  row: Row<'site'>,
  member: Membership,
): Promise<Site> {
  const [site] = await toSites(urls, db, organization, [row], member)
  if (!site) throw new Error('one row makes one site')
  return site
}

/** Creates a site that is not published. Its base name is made from its title. */
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
      shorten(slugify(title), LONGEST_BASENAME) || 'docs',
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

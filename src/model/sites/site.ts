import { cacheTags } from '../../core/web/cache-tags.ts'
import { revalidate } from '../revalidation.ts'
import { type Static, Type } from 'typebox'
import { sitePermissions } from '../../access/roles/roles.ts'
import { uniqueSlug } from '../../core/content/tree/rules.ts'
import { shorten } from '../../core/text/shorten.ts'
import { slugify } from '../../core/text/slug.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import type { Caller, Sealing } from '../../http/route.ts'
import { conflict } from '../../http/errors.ts'
import type { Urls } from '../../http/urls.ts'
import { DefaultLevelSchema, nullable, oneOf, omitNullish, Timestamp, Uri } from '../common.ts'
import { siteAddresses } from './addresses.ts'
import { countSiteSpaces } from './structure/site-space.ts'
import { memberOf, type SiteStructure } from './structure/structure.ts'
import { because } from '../../core/languages/reasons.ts'

const LONGEST_BASENAME = 60

export const SITE_TYPES = [
  'basic',
  'premium',
  'ultimate',
  'sponsored',
  'legacy-basic',
  'legacy-premium',
] as const
export const SITE_VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const

const Pair = Type.Object({ light: Type.String(), dark: Type.String() })
const Icon = Type.Unsafe<{ icon: { light: string; dark: string } } | { emoji: string }>({
  anyOf: [Type.Object({ icon: Pair }), Type.Object({ emoji: Type.String() })],
})

const SitePermissions = Type.Object({
  view: Type.Boolean(),
  access: Type.Boolean({ description: 'Whether the caller sees the site in the console' }),
  edit: Type.Boolean(),
  create: Type.Boolean(),
  admin: Type.Boolean(),
  installIntegration: Type.Boolean(),
  viewAdaptiveSchema: Type.Boolean(),
  editAdaptiveSchema: Type.Boolean(),
})

export const Site = Type.Object(
  {
    object: oneOf(['site']),
    id: Type.String(),
    type: oneOf(SITE_TYPES),
    appliedType: oneOf(SITE_TYPES, { description: 'The same as `type`, because no site is frozen' }),
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
    defaultLevel: DefaultLevelSchema,
    permissions: SitePermissions,
    published: Type.Boolean(),
    siteSpaces: Type.Integer({ description: 'Number of spaces of the site that the caller can see' }),
    createdAt: Timestamp,
    adaptiveContent: Type.Object({ enabled: Type.Boolean() }),
    features: Type.Array(Type.Object({ id: Type.String(), plan: Type.String(), frozen: Type.Boolean() })),
    agentsContext: oneOf(['excluded', 'included']),
    urls: Type.Object({
      location: Uri,
      app: Uri,
      published: Type.Optional(Uri),
      preview: { ...Uri, description: 'The screen of the console that shows a preview of the site' },
    }),
  },
  { title: 'Site' },
)
export type Site = Static<typeof Site>

/** A caller who asks for sites of an organization, as loaded by the access check of a route. */
export interface SiteSeeker {
  urls: Urls
  sealing: Sealing
  me: Pick<Caller, 'userId'>
  organization: Row<'organization'>
  organizationRole: Role | null
}

/** Sites of one organization as one of its members sees them. @param roleOn the member's role on each site */
export async function toSites(
  seeker: SiteSeeker,
  db: Reader,
  rows: Row<'site'>[],
  roleOn: (site: Row<'site'>) => Role | null,
): Promise<Site[]> {
  const counts = await countSiteSpaces(db, rows, memberOf(seeker))
  const addresses = await siteAddresses(db, { ...seeker, roleOn }, rows)
  return rows.map((row) =>
    projectSite({ ...seeker, role: roleOn(row) }, row, {
      siteSpaces: counts.get(row.id) ?? 0,
      published: addresses.get(row.id),
    }),
  )
}

function projectSite(
  { urls, organization, role }: Pick<SiteSeeker, 'urls' | 'organization'> & { role: Role | null },
  row: Row<'site'>,
  { siteSpaces, published }: { siteSpaces: number; published: string | undefined },
): Site {
  return {
    object: 'site',
    id: row.id,
    type: row.type as Site['type'],
    appliedType: row.type as Site['type'],
    title: row.title,
    ...omitNullish({
      hostname: row.hostname,
      proxy: row.proxy
        ? { origin: row.proxy, target: urls.siteTarget(row, organization.hostname) }
        : undefined,
    }),
    icon: row.icon ? (JSON.parse(row.icon) as NonNullable<Site['icon']>) : null,
    basename: row.basename,
    visibility: row.visibility,
    defaultLevel: row.defaultLevel,
    permissions: sitePermissions(role),
    published: row.published === 1,
    siteSpaces,
    createdAt: row.createdAt,
    adaptiveContent: { enabled: row.adaptiveContent === 1 },
    features: [],
    agentsContext: 'included',
    urls: {
      location: urls.api(`/orgs/${row.organizationId}/sites/${row.id}`),
      app: urls.app(`/o/${row.organizationId}/sites/${row.id}`),
      ...omitNullish({ published }),
      preview: urls.app(`/o/${row.organizationId}/sites/${row.id}/options`),
    },
  }
}

/** One site as a member of its organization sees it who has this role on it. */
export async function toSite(
  { role, ...seeker }: SiteSeeker & { role: Role },
  db: Reader,
  row: Row<'site'>,
): Promise<Site> {
  const [site] = await toSites(seeker, db, [row], () => role)
  if (!site) throw new Error('one row makes one site')
  return site
}

/** The site of a structure, for its caller: a member or a reader. */
export function toSiteOf(
  { urls, site, siteSpaces, address }: SiteStructure,
  seen: Pick<SiteSeeker, 'organization'> & { role: Role | null },
): Site {
  return projectSite({ urls, ...seen }, site, { siteSpaces: siteSpaces.length, published: address })
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
    basename: uniqueSlug(basenameOf(title) || 'docs', new Set(taken.map(({ basename }) => basename))),
    hostname: null,
    visibility,
    defaultLevel: 'inherit',
    published: 0,
    proxy: null,
    adaptiveContent: 0,
    version: 0,
    createdAt,
    updatedAt: createdAt,
  }
  await tx
    .deleteFrom('siteOldBasename')
    .where('organizationId', '=', organizationId)
    .where('basename', '=', site.basename)
    .execute()
  await tx.insertInto('site').values(site).execute()
  return site
}

/** The characters after which a new address ends with the word. */
const SHORT_BASENAME = 40

/** The address of a new site: its title up to a line or colon, in the letters of its script, and at most a few words. */
function basenameOf(title: string): string {
  const [name = ''] = title.split(/\s+[|\u2013\u2014\u00b7-]\s+|[:\uff1a]\s*/u, 1)
  const slug = slugify(name) || slugify(title)
  const end = slug.indexOf('-', SHORT_BASENAME)
  return shorten(end === -1 ? slug : slug.slice(0, end), LONGEST_BASENAME)
}

/**
 * Records that a site changed. Every write of its structure, readers or settings calls it, because pages are cached by
 * the version of their site.
 */
export async function touchSite(tx: Tx, { id }: Pick<Row<'site'>, 'id'>, now: Date): Promise<Row<'site'>> {
  await revalidate(tx, now, cacheTags.site(id))
  return tx
    .updateTable('site')
    .set(({ eb }) => ({ version: eb('version', '+', 1), updatedAt: now.toISOString() }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Makes servers load a site again that they have cached, although nobody changed it. */
export async function outdatePages(tx: Tx, siteId: string): Promise<void> {
  await tx
    .updateTable('site')
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', siteId)
    .execute()
}

/** The tables whose rows belong to one site, those that refer to others first. */
const TABLES_OF_SITE = [
  'siteSpace',
  'siteSection',
  'siteSectionGroup',
  'siteExternalLink',
  'siteShareLink',
  'siteMcpServer',
  'sitePublishingAuth',
  'siteAdaptiveSchema',
  'siteCustomization',
  'siteOldPath',
  'siteOldBasename',
  'siteRedirect',
  'insightEvent',
] as const

/** Deletes a site with all that belongs to it. Its spaces remain. */
export async function removeSite(tx: Tx, site: Row<'site'>, now: Date): Promise<void> {
  await revalidate(tx, now, cacheTags.site(site.id))
  await tx.deleteFrom('grant').where('targetKind', '=', 'site').where('targetId', '=', site.id).execute()
  for (const table of TABLES_OF_SITE) await tx.deleteFrom(table).where('siteId', '=', site.id).execute()
  await tx.deleteFrom('customHostname').where('siteId', '=', site.id).execute()
  const organization = await tx
    .selectFrom('organization')
    .select('defaultContent')
    .where('id', '=', site.organizationId)
    .executeTakeFirstOrThrow()
  const chosen = organization.defaultContent
    ? (JSON.parse(organization.defaultContent) as { site?: string }).site
    : undefined
  if (chosen === site.id)
    await tx
      .updateTable('organization')
      .set({ defaultContent: null })
      .where('id', '=', site.organizationId)
      .execute()
  await tx.deleteFrom('site').where('id', '=', site.id).execute()
}

/**
 * Gives a site another base name. Its old address redirects from then on.
 * @throws 409 if another site of the organization has the name
 */
export async function changeBasename(tx: Tx, site: Row<'site'>, basename: string): Promise<void> {
  const { organizationId } = site
  if (basename === site.basename) return
  const taken = await tx
    .selectFrom('site')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('basename', '=', basename)
    .executeTakeFirst()
  if (taken) throw conflict(because('basename-taken', { name: basename }))
  await tx
    .deleteFrom('siteOldBasename')
    .where('organizationId', '=', organizationId)
    .where('basename', 'in', [basename, site.basename])
    .execute()
  await tx
    .insertInto('siteOldBasename')
    .values({ organizationId, basename: site.basename, siteId: site.id })
    .execute()
  await tx.updateTable('site').set({ basename }).where('id', '=', site.id).execute()
}

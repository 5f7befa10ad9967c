import { sql } from 'kysely'
import { sectionShownIf, shownIf } from '../../model/places/default-site-space.ts'
import { Type } from 'typebox'
import { demand, onOrg } from '../../access/checks/on.ts'
import { onSite, onSiteIfThere } from '../../access/checks/on-site.ts'
import { loadReach, type Membership } from '../../access/roles/reach.ts'
import { rolesOnSites, sitesFrom } from '../../access/roles/site-reach.ts'
import { shorten } from '../../core/text/shorten.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { conflict, unknownId } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import {
  DefaultLevelSchema,
  Id,
  idPattern,
  InOrganization,
  InSite,
  nullable,
  oneOf,
  ShareKeyQuery,
} from '../../model/common.ts'
import { changeWithin } from '../../model/access/change-within.ts'
import { keepAccess } from '../../model/access/grant.ts'
import { loadCustomizations } from '../../model/sites/customization/customization.ts'
import { claimHostname, CustomHost, releaseHostname } from '../../model/sites/custom-hostname.ts'
import { onReadableSite } from '../../model/sites/published/on-reader.ts'
import { LONGEST_ORIGIN } from '../../model/sites/published/open-site.ts'
import { visibleCustomizations } from '../../model/sites/published/content/visible-settings.ts'
import { PublishedSite, toPublishedSite } from '../../model/sites/published-site.ts'
import { chooseDefault } from '../../model/sites/redirects/path-segments.ts'
import {
  changeBasename,
  insertSite,
  removeSite,
  Site,
  SITE_TYPES,
  SITE_VISIBILITIES,
  toSite,
  toSiteOf,
  toSites,
  touchSite,
} from '../../model/sites/site.ts'
import { SiteTitle } from '../../model/sites/site-title.ts'
import { addSiteSpace } from '../../model/sites/structure/site-space.ts'
import {
  loadStructure,
  memberOf,
  type SiteStructure,
  ownRight,
  shownSiteSpaces,
  visibleSiteSpaces,
} from '../../model/sites/structure/structure.ts'
import { toStructure } from '../../model/sites/structure/structure-resource.ts'
import { chooseSpaces } from '../../model/sites/structure/choose-space.ts'
import { writeSample } from '../../model/sites/sample.ts'
import { insertSpace } from '../../model/places/space.ts'
import { because } from '../../core/languages/reasons.ts'

const SPACES_MAX = 100
const LONGEST_SPACE_TITLE = 50

export const listSites = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites',
  summary: 'List the sites of an organization that the caller can see, oldest first',
  access: onOrg(),
  params: InOrganization,
  query: Type.Object({
    ...ListQuery.properties,
    space: Type.Optional(
      Type.String({ ...idPattern, description: 'Return only sites that contain the space with this id' }),
    ),
    title: Type.Optional(
      Type.String({ maxLength: 128, description: 'Return only sites whose title contains this text' }),
    ),
    published: Type.Optional(Type.Boolean()),
  }),
  returns: listOf(Site),
  async handler({ db, me, urls, sealing, organization, organizationRole, query, page }) {
    const { space, title, published } = query
    const member = memberOf({ me, organization, organizationRole })
    const withSpace = space === undefined ? undefined : await sitesShowing(db, member, space)
    const listed = db
      .selectFrom('site')
      .selectAll()
      .where('organizationId', '=', organization.id)
      .where(sitesFrom(member, 'read'))
      .$if(published !== undefined, (sites) => sites.where('published', '=', published ? 1 : 0))
      .$if(title !== undefined, (sites) =>
        sites.where(sql<boolean>`lower("title") like ${containing(title ?? '')} escape '\\'`),
      )
      .$if(withSpace !== undefined, (sites) => sites.where('id', 'in', ['', ...withSpace!]))
    const list = await listRows(listed, page, { by: ['id'] })
    const seeker = { urls, sealing, me, organization, organizationRole }
    const roleOn = await rolesOnSites(db, member, list.items)
    return { ...list, items: await toSites(seeker, db, list.items, roleOn) }
  },
})

export const createSite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites',
  summary: 'Create a site',
  description:
    'The site is not published. `spaces` is a list of space ids, `"empty"` for a new empty space, or `"sample"` for a new space with example pages.',
  access: onOrg('create'),
  params: InOrganization,
  body: Type.Object({
    type: Type.Optional(oneOf(SITE_TYPES, { default: 'basic' })),
    title: Type.Optional(SiteTitle),
    visibility: Type.Optional(oneOf(SITE_VISIBILITIES, { default: 'public' })),
    spaces: Type.Optional(
      Type.Union([Type.Array(Id, { maxItems: SPACES_MAX, uniqueItems: true }), oneOf(['empty', 'sample'])]),
    ),
  }),
  returns: Site,
  status: 201,
  async handler({ tx, me, urls, sealing, body, organization, organizationRole, now, newId }) {
    const { type = 'basic', visibility = 'public', spaces = [] } = body
    const context = { organizationId: organization.id, userId: me.userId, now, newId }
    const chosen = Array.isArray(spaces)
      ? await chooseSpaces(tx, me, organization, spaces)
      : [await insertSpace(tx, { ...context, title: body.title && shorten(body.title, LONGEST_SPACE_TITLE) })]
    if (spaces === 'sample' && chosen[0]) await writeSample(tx, chosen[0], context)
    const title = body.title ?? titleFrom(chosen[0])
    const site = await insertSite(tx, {
      organizationId: organization.id,
      title,
      type,
      visibility,
      now,
      newId,
    })
    for (const space of chosen) await addSiteSpace(tx, site, space, { now, newId })
    // Nothing is granted on a new site, so the caller has the role that they have in the organization.
    const role = demand(organizationRole, 'create', 'in-organization')
    return toSite({ urls, sealing, me, organization, organizationRole, role }, tx, site)
  },
})

export const getSiteById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId',
  summary: 'Get a site',
  access: onSite('read'),
  params: InSite,
  returns: Site,
  async handler({ db, site, ...seen }) {
    return toSite(seen, db, site)
  },
})

export const updateSiteById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/sites/:siteId',
  summary: 'Update a site',
  description:
    'Fields that are not sent keep their values. A caller who sets a `defaultLevel` that would exclude them keeps their role by a direct grant.',
  access: onSite('create'),
  params: InSite,
  body: Type.Object({
    title: Type.Optional(SiteTitle),
    visibility: Type.Optional(oneOf(SITE_VISIBILITIES)),
    defaultLevel: Type.Optional(DefaultLevelSchema),
    basename: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$',
        'x-pattern':
          'have only the letters a to z, digits, ".", "_" and "-", and begin and end with a letter or digit',
      }),
    ),
    adaptiveContent: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
    hostname: Type.Optional(
      nullable(CustomHost, {
        description:
          'A host name at which the site is to be served once `PATCH /v1/custom-hostnames/{hostname}` finds its DNS record; null removes it',
      }),
    ),
    defaultSiteSpace: Type.Optional(
      Type.String({ ...idPattern, description: 'The id of a site space of this site' }),
    ),
    defaultSiteSection: Type.Optional(
      Type.String({ ...idPattern, description: 'The id of a section of this site' }),
    ),
    proxy: Type.Optional(
      nullable(
        Type.String({
          maxLength: LONGEST_ORIGIN,
          pattern: '^([\\w-]+\\.)*[\\w-]+\\.[a-zA-Z]{2,}(\\/[\\w-]+)+$',
          'x-pattern': 'be a host and a path, such as "example.com/docs"',
          description:
            'Host and path at which visitors reach the site, such as `example.com/docs`; null removes the proxy',
        }),
      ),
    ),
  }),
  returns: Site,
  async handler({ tx, site, body, now, ...seen }) {
    const { adaptiveContent, defaultSiteSpace, defaultSiteSection, basename, hostname, ...fields } = body
    const { urls, me, role } = seen
    if (basename !== undefined) await changeBasename(tx, site, basename)
    if (hostname) await claimHostname(tx, urls, site, hostname, now)
    if (hostname === null) await releaseHostname(tx, site.id, now)
    const structure = await loadStructure(tx, site, seen)
    if (defaultSiteSection !== undefined) await makeDefaultSection(tx, structure, defaultSiteSection)
    if (defaultSiteSpace !== undefined) await makeDefaultSpace(tx, structure, defaultSiteSpace)
    const changed = {
      ...fields,
      ...(adaptiveContent && { adaptiveContent: adaptiveContent.enabled ? (1 as const) : (0 as const) }),
    }
    const thing = { kind: 'site', id: site.id } as const
    const update = async () => {
      if (Object.keys(changed).length > 0)
        await tx.updateTable('site').set(changed).where('id', '=', site.id).execute()
      const { organizationId } = site
      return keepAccess(tx, me, thing, { organizationId, role, now })
    }
    const sameLevel = body.defaultLevel === undefined || body.defaultLevel === site.defaultLevel
    const kept = sameLevel ? await update() : await changeWithin(tx, { thing, role }, update)
    const isChanged = Object.values(body).some((value) => value !== undefined)
    const updated = isChanged ? await touchSite(tx, site, now) : site
    return toSite({ ...seen, role: kept }, tx, updated)
  },
})

export const deleteSiteById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/sites/:siteId',
  summary: 'Delete a site',
  description: 'Visitors get 404 at once. The spaces of the site remain.',
  access: onSiteIfThere('create'),
  params: InSite,
  status: 205,
  async handler({ tx, site, now }) {
    if (!site) return ABSENT
    await removeSite(tx, site, now)
    return undefined
  },
})

export const publishSite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/publish',
  summary: 'Publish a site',
  access: onSite('create'),
  params: InSite,
  returns: Site,
  async handler({ tx, site, now, ...seen }) {
    const first = await tx
      .selectFrom('siteSpace')
      .select('id')
      .where('siteId', '=', site.id)
      .executeTakeFirst()
    if (!first) throw conflict(because('site-without-spaces'))
    const published = await setPublished(tx, site, 1, now)
    return toSite(seen, tx, published)
  },
})

export const unpublishSite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/unpublish',
  summary: 'Unpublish a site',
  access: onSite('create'),
  params: InSite,
  returns: Site,
  async handler({ tx, site, now, ...seen }) {
    const unpublished = await setPublished(tx, site, 0, now)
    return toSite(seen, tx, unpublished)
  },
})

export const getPublishedContentSite = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/published',
  summary: 'Get the structure and the appearance of a site',
  access: onReadableSite(),
  readers: true,
  params: InSite,
  query: Type.Object(ShareKeyQuery),
  returns: PublishedSite,
  async handler({ db, site, ...seen }) {
    const structure = await loadStructure(db, site, seen)
    const settings = await loadCustomizations(db, site.id)
    return toPublishedSite(
      toSiteOf(structure, seen),
      await toStructure(db, structure),
      structure.siteSpaces.map(({ id }) => id),
      seen.reading && !structure.showsConditions
        ? await visibleCustomizations({ db, urls: seen.urls }, seen.reading, settings)
        : settings,
    )
  },
})

/** The ids of the sites on which a member sees a space. */
async function sitesShowing(db: Reader, member: Membership, spaceId: string): Promise<string[]> {
  const reach = await loadReach(db, member)
  const rows = await visibleSiteSpaces(db, reach)
    .select(['siteSpace.siteId', shownIf.as('shownIf'), sectionShownIf.as('sectionShownIf')])
    .select(ownRight(reach))
    .where('siteSpace.spaceId', '=', spaceId)
    .execute()
  return shownSiteSpaces(rows).map(({ siteId }) => siteId)
}

function titleFrom(space: Row<'space'> | undefined): string {
  return space && space.title.length >= 2 ? space.title : 'Documentation'
}

async function makeDefaultSection(tx: Tx, structure: SiteStructure, id: string): Promise<void> {
  if (!structure.sections.some((one) => one.id === id))
    throw unknownId('body.defaultSiteSection', id, 'a section of this site')
  await chooseDefault(tx, { kind: 'site-section', id, siteId: structure.site.id, sectionId: null })
}

/** The default space of a site with sections is the default of its section, which becomes the default section. */
async function makeDefaultSpace(tx: Tx, structure: SiteStructure, id: string): Promise<void> {
  const siteSpace = structure.siteSpaces.find((one) => one.id === id)
  if (!siteSpace) throw unknownId('body.defaultSiteSpace', id, 'a site space of this site')
  await chooseDefault(tx, { ...siteSpace, kind: 'site-space' })
  if (siteSpace.sectionId !== null)
    await chooseDefault(tx, {
      kind: 'site-section',
      id: siteSpace.sectionId,
      siteId: siteSpace.siteId,
      sectionId: null,
    })
}

async function setPublished(tx: Tx, site: Row<'site'>, published: 0 | 1, now: Date): Promise<Row<'site'>> {
  await tx.updateTable('site').set({ published }).where('id', '=', site.id).execute()
  return touchSite(tx, site, now)
}

/** A pattern for `like` that matches lower-case texts which contain this one. */
function containing(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}

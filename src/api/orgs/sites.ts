import { sql } from 'kysely'
import { Type } from 'typebox'
import { needSpace, onOrg, onSite } from '../../access/on.ts'
import type { Row, Tx } from '../../db/schema.ts'
import { conflict, forbidden, invalid } from '../../http/errors.ts'
import { listOf, listPage, ListQuery, textAfter } from '../../http/page.ts'
import { type Caller, route } from '../../http/route.ts'
import { atLeast } from '../../access/roles.ts'
import { Id, InOrganization, InSite, nullable, oneOf } from '../../model/common.ts'
import { PublishedSite, toPublishedSite } from '../../model/published-site.ts'
import {
  addSiteSpace,
  insertSite,
  Site,
  SITE_TYPES,
  SITE_VISIBILITIES,
  SiteTitle,
  siteSpacesOf,
  toSite,
  toSites,
} from '../../model/site.ts'
import { writeSample } from '../../model/sample.ts'
import { insertSpace } from '../../model/space.ts'

const SPACES_MAX = 100

export const listSites = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites',
  summary: 'The sites of an organization, oldest first',
  access: onOrg('read'),
  params: InOrganization,
  query: Type.Object({
    ...ListQuery.properties,
    space: Type.Optional(Id),
    title: Type.Optional(
      Type.String({ maxLength: 128, description: 'Only sites whose title contains this' }),
    ),
    published: Type.Optional(Type.Boolean()),
  }),
  returns: listOf(Site),
  async handler({ db, at, organization, query, page }) {
    const { space, title, published } = query
    const listed = db
      .selectFrom('site')
      .where('organizationId', '=', organization.id)
      .$if(published !== undefined, (sites) => sites.where('published', '=', published ? 1 : 0))
      .$if(title !== undefined, (sites) =>
        sites.where(sql<boolean>`lower("title") like ${containing(title ?? '')} escape '\\'`),
      )
      .$if(space !== undefined, (sites) =>
        sites.where('id', 'in', (eb) =>
          eb
            .selectFrom('siteSpace')
            .select('siteId')
            .where('spaceId', '=', space ?? ''),
        ),
      )
    const rows = await listed
      .selectAll()
      .$if(page.after !== undefined, (sites) => sites.where('id', '>', textAfter(page) ?? ''))
      .orderBy('id')
      .limit(page.limit + 1)
      .execute()
    const { count } = await listed.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    return listPage(await toSites(at, db, organization, rows), Number(count), page, ({ id }) => [id])
  },
})

export const createSite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites',
  summary: 'Create a site',
  description:
    'It is not published yet. `spaces` is a list of ids, or "empty" for a new space, or "sample" for one with pages that show what a page can hold.',
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
  async handler({ tx, me, at, body, organization, now, newId }) {
    const { type = 'basic', visibility = 'public', spaces = [] } = body
    const circumstances = { organizationId: organization.id, userId: me.userId, now, newId }
    const chosen = Array.isArray(spaces)
      ? await chooseSpaces(tx, me, organization, spaces)
      : [await insertSpace(tx, { ...circumstances, title: body.title?.slice(0, 50) })]
    if (spaces === 'sample' && chosen[0]) await writeSample(tx, chosen[0], circumstances)
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
    return toSite(at, tx, organization, site)
  },
})

export const getSiteById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId',
  summary: 'A site',
  access: onSite('read'),
  params: InSite,
  returns: Site,
  async handler({ db, at, organization, site }) {
    return toSite(at, db, organization, site)
  },
})

export const updateSiteById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/sites/:siteId',
  summary: 'Change a site',
  access: onSite('create'),
  params: InSite,
  body: Type.Object({
    title: Type.Optional(SiteTitle),
    visibility: Type.Optional(oneOf(SITE_VISIBILITIES)),
    basename: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$' }),
    ),
    adaptiveContent: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
    defaultSiteSpace: Type.Optional(Id),
    proxy: Type.Optional(
      nullable(
        Type.String({ maxLength: 512, pattern: '^([\\w-]+\\.)*[\\w-]+\\.[a-zA-Z]{2,}(\\/[\\w-]+)+$' }),
      ),
    ),
  }),
  returns: Site,
  async handler({ tx, at, organization, site, body, now }) {
    const { adaptiveContent, defaultSiteSpace, ...fields } = body
    if (fields.basename !== undefined) await refuseTakenBasename(tx, site, fields.basename)
    if (defaultSiteSpace !== undefined) await makeDefault(tx, site, defaultSiteSpace)

    const updated = await tx
      .updateTable('site')
      .set({
        ...fields,
        ...(adaptiveContent && { adaptiveContent: adaptiveContent.enabled ? 1 : 0 }),
        updatedAt: now.toISOString(),
      })
      .where('id', '=', site.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toSite(at, tx, organization, updated)
  },
})

export const publishSite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/publish',
  summary: 'Publish a site: its audience can reach it from now on',
  access: onSite('create'),
  params: InSite,
  returns: Site,
  async handler({ tx, at, organization, site, now }) {
    const first = await tx
      .selectFrom('siteSpace')
      .select('id')
      .where('siteId', '=', site.id)
      .executeTakeFirst()
    if (!first) throw conflict('A site without a space has nothing to publish; add a space first')
    return toSite(at, tx, organization, await setPublished(tx, site, 1, now))
  },
})

export const unpublishSite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/unpublish',
  summary: 'Take a site down: nobody can reach it from now on',
  access: onSite('create'),
  params: InSite,
  returns: Site,
  async handler({ tx, at, organization, site, now }) {
    return toSite(at, tx, organization, await setPublished(tx, site, 0, now))
  },
})

export const getPublishedContentSite = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/published',
  summary: 'A site as visitors get it: structure and appearance',
  access: onSite('read'),
  params: InSite,
  query: Type.Object({ shareKey: Type.Optional(Type.String({ maxLength: 512 })) }),
  returns: PublishedSite,
  async handler({ db, me, at, organization, organizationRole, site }) {
    const shown = await toSite(at, db, organization, site)
    const member = { userId: me.userId, organizationId: organization.id, role: organizationRole }
    return toPublishedSite(shown, await siteSpacesOf(at, db, site, shown.urls.published, member))
  },
})

/** The spaces of the organization with these ids, each visible to the caller, in their order. */
async function chooseSpaces(tx: Tx, me: Caller, organization: Row<'organization'>, ids: string[]) {
  const chosen: Row<'space'>[] = []
  for (const id of ids) {
    const { space, role } = await needSpace(tx, me, id)
    if (space.organizationId !== organization.id)
      throw invalid(`The space ${id} belongs to another organization`)
    if (!atLeast(role, 'create'))
      throw forbidden(`Publishing needs the permission "create" on the space ${id}`)
    chosen.push(space)
  }
  return chosen
}

function titleFrom(space: Row<'space'> | undefined): string {
  return space && space.title.length >= 2 ? space.title : 'Documentation'
}

async function refuseTakenBasename(tx: Tx, site: Row<'site'>, basename: string): Promise<void> {
  const taken = await tx
    .selectFrom('site')
    .select('id')
    .where('organizationId', '=', site.organizationId)
    .where('basename', '=', basename)
    .where('id', '!=', site.id)
    .executeTakeFirst()
  if (taken) throw conflict(`Another site of the organization has the basename "${basename}"`)
}

async function makeDefault(tx: Tx, site: Row<'site'>, siteSpaceId: string): Promise<void> {
  const there = await tx
    .selectFrom('siteSpace')
    .select('id')
    .where('id', '=', siteSpaceId)
    .where('siteId', '=', site.id)
    .executeTakeFirst()
  if (!there) throw invalid('"defaultSiteSpace" must be a site space of this site')
  await tx.updateTable('siteSpace').set({ isDefault: 0 }).where('siteId', '=', site.id).execute()
  await tx.updateTable('siteSpace').set({ isDefault: 1 }).where('id', '=', siteSpaceId).execute()
}

async function setPublished(tx: Tx, site: Row<'site'>, published: 0 | 1, now: Date): Promise<Row<'site'>> {
  return tx
    .updateTable('site')
    .set({ published, updatedAt: now.toISOString() })
    .where('id', '=', site.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A `like` pattern for texts that contain this one, in lower case. */
function containing(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}

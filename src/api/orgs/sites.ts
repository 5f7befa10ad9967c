import { sql } from 'kysely'
import { Type } from 'typebox'
import { findSpace, onOrg, onSite } from '../../access/on.ts'
import { loadReach, type Membership } from '../../access/reach.ts'
import { shorten } from '../../core/shorten.ts'
import type { Role, Row, Tx } from '../../db/schema.ts'
import { conflict, forbidden, unknownId } from '../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { type Caller, route } from '../../http/route.ts'
import { atLeast } from '../../access/roles.ts'
import { Id, idPattern, InOrganization, InSite, nullable, oneOf, withUpdatedAt } from '../../model/common.ts'
import { PublishedSite, toPublishedSite } from '../../model/sites/published-site.ts'
import {
  insertSite,
  Site,
  SITE_TYPES,
  SITE_VISIBILITIES,
  SiteTitle,
  toSite,
  toSites,
} from '../../model/sites/site.ts'
import { addSiteSpace, siteSpacesOf, visibleSiteSpaces } from '../../model/sites/site-space.ts'
import { writeSample } from '../../model/sites/sample.ts'
import { insertSpace } from '../../model/places/space.ts'

const SPACES_MAX = 100
const LONGEST_SPACE_TITLE = 50

export const listSites = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites',
  summary: 'List the sites of an organization, oldest first',
  access: onOrg('read'),
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
  async handler({ db, me, urls, organization, organizationRole, query, page }) {
    const { space, title, published } = query
    const member = memberOf(me, organization, organizationRole)
    const withSpace =
      space === undefined
        ? undefined
        : visibleSiteSpaces(db, await loadReach(db, member))
            .select('siteSpace.siteId')
            .where('siteSpace.spaceId', '=', space)
    const listed = db
      .selectFrom('site')
      .selectAll()
      .where('organizationId', '=', organization.id)
      .$if(published !== undefined, (sites) => sites.where('published', '=', published ? 1 : 0))
      .$if(title !== undefined, (sites) =>
        sites.where(sql<boolean>`lower("title") like ${containing(title ?? '')} escape '\\'`),
      )
      .$if(withSpace !== undefined, (sites) => sites.where('id', 'in', withSpace!))
    const list = await listRows(listed, page, { by: ['id'] })
    return { ...list, items: await toSites(urls, db, organization, list.items, member) }
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
  async handler({ tx, me, urls, body, organization, organizationRole, now, newId }) {
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
    return toSite(urls, tx, organization, site, memberOf(me, organization, organizationRole))
  },
})

export const getSiteById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId',
  summary: 'Get a site',
  access: onSite('read'),
  params: InSite,
  returns: Site,
  async handler({ db, me, urls, organization, organizationRole, site }) {
    return toSite(urls, db, organization, site, memberOf(me, organization, organizationRole))
  },
})

export const updateSiteById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/sites/:siteId',
  summary: 'Update a site',
  description: 'Fields that are not sent keep their values.',
  access: onSite('create'),
  params: InSite,
  body: Type.Object({
    title: Type.Optional(SiteTitle),
    visibility: Type.Optional(oneOf(SITE_VISIBILITIES)),
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
    defaultSiteSpace: Type.Optional(
      Type.String({ ...idPattern, description: 'The id of a site space of this site' }),
    ),
    // Not an `Id`, because no value is valid until sites have sections.
    defaultSiteSection: Type.Optional(
      Type.String({ maxLength: 100, description: 'The id of a section of this site' }),
    ),
    proxy: Type.Optional(
      nullable(
        Type.String({
          maxLength: 512,
          pattern: '^([\\w-]+\\.)*[\\w-]+\\.[a-zA-Z]{2,}(\\/[\\w-]+)+$',
          'x-pattern': 'be a host and a path, such as "example.com/docs"',
          description:
            'Host and path at which visitors reach the site, such as `example.com/docs`; null removes the proxy',
        }),
      ),
    ),
  }),
  returns: Site,
  async handler({ tx, me, urls, organization, organizationRole, site, body, now }) {
    const { adaptiveContent, defaultSiteSpace, defaultSiteSection, ...fields } = body
    // Sites have no sections yet, so every id is unknown.
    if (defaultSiteSection !== undefined)
      throw unknownId('body.defaultSiteSection', defaultSiteSection, 'a section of this site')
    if (fields.basename !== undefined) await refuseTakenBasename(tx, site, fields.basename)
    const member = memberOf(me, organization, organizationRole)
    if (defaultSiteSpace !== undefined) await makeDefault(tx, site, defaultSiteSpace, member)

    const updated = await tx
      .updateTable('site')
      .set({
        ...fields,
        ...(adaptiveContent && { adaptiveContent: adaptiveContent.enabled ? 1 : 0 }),
        updatedAt: withUpdatedAt(site, body, now).updatedAt,
      })
      .where('id', '=', site.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toSite(urls, tx, organization, updated, member)
  },
})

export const publishSite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/publish',
  summary: 'Publish a site',
  access: onSite('create'),
  params: InSite,
  returns: Site,
  async handler({ tx, me, urls, organization, organizationRole, site, now }) {
    const first = await tx
      .selectFrom('siteSpace')
      .select('id')
      .where('siteId', '=', site.id)
      .executeTakeFirst()
    if (!first) throw conflict('The site has no spaces, so it cannot be published; add a space first')
    const published = await setPublished(tx, site, 1, now)
    return toSite(urls, tx, organization, published, memberOf(me, organization, organizationRole))
  },
})

export const unpublishSite = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/unpublish',
  summary: 'Unpublish a site',
  access: onSite('create'),
  params: InSite,
  returns: Site,
  async handler({ tx, me, urls, organization, organizationRole, site, now }) {
    const unpublished = await setPublished(tx, site, 0, now)
    return toSite(urls, tx, organization, unpublished, memberOf(me, organization, organizationRole))
  },
})

export const getPublishedContentSite = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/published',
  summary: 'Get the structure and the appearance of a site',
  access: onSite('read'),
  params: InSite,
  query: Type.Object({ shareKey: Type.Optional(Type.String({ maxLength: 512 })) }),
  returns: PublishedSite,
  async handler({ db, me, urls, organization, organizationRole, site }) {
    const member = memberOf(me, organization, organizationRole)
    const shown = await toSite(urls, db, organization, site, member)
    return toPublishedSite(shown, await siteSpacesOf(urls, db, site, shown.urls.published, member))
  },
})

const memberOf = (
  { userId }: Caller,
  { id: organizationId }: Row<'organization'>,
  role: Role | null,
): Membership => ({ userId, organizationId, role })

/** The spaces with these ids. The caller must have the role `create` on each. @throws 400, 403 */
async function chooseSpaces(tx: Tx, me: Caller, organization: Row<'organization'>, ids: string[]) {
  const chosen: Row<'space'>[] = []
  for (const [i, id] of ids.entries()) {
    const found = await findSpace(tx, me, id)
    if (!found || found.space.deletedAt !== null || found.space.organizationId !== organization.id)
      throw unknownId(`body.spaces.${i}`, id, 'a space of this organization')
    if (!atLeast(found.role, 'create'))
      throw forbidden(`Adding the space ${id} to a site requires the permission "create" on it`)
    chosen.push(found.space)
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
  if (taken)
    throw conflict(`Another site of the organization uses the basename "${basename}"; choose another one`)
}

async function makeDefault(tx: Tx, site: Row<'site'>, id: string, member: Membership): Promise<void> {
  const found = await visibleSiteSpaces(tx, await loadReach(tx, member))
    .select('siteSpace.id')
    .where('siteSpace.id', '=', id)
    .where('siteSpace.siteId', '=', site.id)
    .executeTakeFirst()
  if (!found) throw unknownId('body.defaultSiteSpace', id, 'a site space of this site')
  await tx.updateTable('siteSpace').set({ isDefault: 0 }).where('siteId', '=', site.id).execute()
  await tx.updateTable('siteSpace').set({ isDefault: 1 }).where('id', '=', id).execute()
}

async function setPublished(tx: Tx, site: Row<'site'>, published: 0 | 1, now: Date): Promise<Row<'site'>> {
  return tx
    .updateTable('site')
    .set({ published, updatedAt: now.toISOString() })
    .where('id', '=', site.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A pattern for `like` that matches lower-case texts which contain this one. */
function containing(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}

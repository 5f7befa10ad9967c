import { LANGUAGES } from '../../core/language.ts'
import { Type } from 'typebox'
import { demand, needParent, onOrg, onPlace, trashStart } from '../../access/on.ts'
import { loadReach } from '../../access/reach.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { Id, InOrganization, oneOf, WebUri } from '../../model/common.ts'
import { API_TITLE, fillFromOpenApi } from '../../model/openapi/create-spec.ts'
import { insertSpace, Space, SpaceEmoji, SpaceTitle, toSpace, toSpaces } from '../../model/places/space.ts'

export const listSpacesInOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/spaces',
  summary: 'List the spaces of an organization that the caller can see, oldest first',
  access: onOrg(),
  params: InOrganization,
  query: Type.Object({
    ...ListQuery.properties,
    deleted: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'If true, list only the deleted spaces that the caller can restore',
      }),
    ),
    source: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        'x-pattern': 'be 64 digits of a SHA-256 in lower case hexadecimal',
        description: 'List only spaces that are synced with the source that has this `key`',
      }),
    ),
  }),
  returns: listOf(Space),
  async handler({ db, me, urls, organization, organizationRole, query, page, now }) {
    const member = { userId: me.userId, organizationId: organization.id, role: organizationRole }
    const reach = await loadReach(db, member)
    const needed = query.deleted ? 'create' : 'read'
    const trashedSince = query.deleted ? trashStart(now) : undefined
    const all = db
      .selectFrom('space')
      .selectAll()
      .where('organizationId', '=', organization.id)
      .where(reach.spacesFrom(needed))
      .where('deletedAt', trashedSince === undefined ? 'is' : '>', trashedSince ?? null)
    const { source } = query
    const synced = db.selectFrom('spaceSource').select('spaceId')
    const visible = source === undefined ? all : all.where('id', 'in', synced.where('key', '=', source))
    const { items: rows, ...envelope } = await listRows(visible, page, {
      by: ['id'],
      ...(source === undefined && { count: () => reach.countSpaces(db, needed, trashedSince) }),
    })
    return { ...envelope, items: await toSpaces(urls, db, rows, await reach.onSpaces(db, rows)) }
  },
})

export const createSpace = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/spaces',
  summary: 'Create a space, in a collection or at the top level',
  description:
    'Creating a space in a collection requires `create` on the collection. The space inherits its access; no grant is created. The space is empty, unless `openapiUrl` names an OpenAPI specification: then the organization gets this specification, and the space its pages once it is processed. That requires `create` in the organization.',
  access: onPlace(),
  params: InOrganization,
  body: Type.Object({
    title: Type.Optional(SpaceTitle),
    emoji: Type.Optional(SpaceEmoji),
    parent: Type.Optional(Id),
    language: Type.Optional(oneOf(LANGUAGES)),
    editMode: Type.Optional(oneOf(['live', 'locked'])),
    openapiUrl: Type.Optional(WebUri),
  }),
  returns: Space,
  status: 201,
  async handler({ tx, me, urls, body, organization, organizationRole, now, newId, enqueue }) {
    const place = { organizationId: organization.id, organizationRole }
    const role = await needParent(tx, me, place, body.parent ?? null)
    const { openapiUrl, ...fields } = body
    if (openapiUrl !== undefined) demand(organizationRole, 'create', 'in the organization')
    const by = { userId: me.userId, now, newId }
    const title = fields.title ?? (openapiUrl === undefined ? undefined : API_TITLE)
    const space = await insertSpace(tx, { ...fields, title, organizationId: organization.id, ...by })
    if (openapiUrl !== undefined) await fillFromOpenApi(tx, space, openapiUrl, { ...by, enqueue })
    return toSpace(urls, tx, space, role)
  },
})

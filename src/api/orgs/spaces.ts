import { Type } from 'typebox'
import { needParent, onOrg, onPlace, trashStart } from '../../access/on.ts'
import { loadReach } from '../../access/reach.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { Id, InOrganization, oneOf } from '../../model/common.ts'
import {
  insertSpace,
  LANGUAGES,
  Space,
  SpaceEmoji,
  SpaceTitle,
  toSpace,
  toSpaces,
} from '../../model/places/space.ts'

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
        description: 'List the spaces in the trash that the caller can restore instead',
      }),
    ),
  }),
  returns: listOf(Space),
  async handler({ db, me, urls, organization, organizationRole, query, page, now }) {
    const member = { userId: me.userId, organizationId: organization.id, role: organizationRole }
    const reach = await loadReach(db, member)
    const needed = query.deleted ? 'create' : 'read'
    const trashedSince = query.deleted ? trashStart(now) : undefined
    const visible = db
      .selectFrom('space')
      .selectAll()
      .where('organizationId', '=', organization.id)
      .where(reach.spacesFrom(needed))
      .where('deletedAt', trashedSince === undefined ? 'is' : '>', trashedSince ?? null)
    const { items: rows, ...envelope } = await listRows(visible, page, {
      by: ['id'],
      count: () => reach.countSpaces(db, needed, trashedSince),
    })
    return { ...envelope, items: await toSpaces(urls, db, rows, await reach.onSpaces(db, rows)) }
  },
})

export const createSpace = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/spaces',
  summary: 'Create an empty space, in a collection or at the top level',
  description:
    'Creating a space in a collection requires `create` on the collection. The space inherits its access; no grant is created.',
  access: onPlace(),
  params: InOrganization,
  body: Type.Object({
    title: Type.Optional(SpaceTitle),
    emoji: Type.Optional(SpaceEmoji),
    parent: Type.Optional(Id),
    language: Type.Optional(oneOf(LANGUAGES)),
    editMode: Type.Optional(oneOf(['live', 'locked'])),
  }),
  returns: Space,
  status: 201,
  async handler({ tx, me, urls, body, organization, organizationRole, now, newId }) {
    const place = { organizationId: organization.id, organizationRole }
    const role = await needParent(tx, me, place, body.parent ?? null)
    const space = await insertSpace(tx, {
      ...body,
      organizationId: organization.id,
      userId: me.userId,
      now,
      newId,
    })
    return toSpace(urls, tx, space, role)
  },
})

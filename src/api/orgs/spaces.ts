import { Type } from 'typebox'
import { needPlace, onOrg, onPlace, trashStart } from '../../access/on.ts'
import { loadReach } from '../../access/reach.ts'
import { listOf, listPage, ListQuery, textAfter } from '../../http/page.ts'
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
} from '../../model/space.ts'

export const listSpacesInOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/spaces',
  summary: 'The spaces of an organization that the caller may see, oldest first',
  access: onOrg(),
  params: InOrganization,
  query: Type.Object({
    ...ListQuery.properties,
    deleted: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Instead, those in the trash that the caller may restore',
      }),
    ),
  }),
  returns: listOf(Space),
  async handler({ db, me, at, organization, organizationRole, query, page, now }) {
    const member = { userId: me.userId, organizationId: organization.id, role: organizationRole }
    const reach = await loadReach(db, member)
    const needed = query.deleted ? 'create' : 'read'
    const trashedSince = query.deleted ? trashStart(now) : undefined
    const rows = await db
      .selectFrom('space')
      .selectAll()
      .where('organizationId', '=', organization.id)
      .where(reach.spacesFrom(needed))
      .where('deletedAt', trashedSince === undefined ? 'is' : '>', trashedSince ?? null)
      .$if(page.after !== undefined, (spaces) => spaces.where('id', '>', textAfter(page) ?? ''))
      .orderBy('id')
      .limit(page.limit + 1)
      .execute()
    const count = await reach.countSpaces(db, needed, trashedSince)
    const spaces = await toSpaces(at, db, rows, await reach.onSpaces(db, rows))
    return listPage(spaces, count, page, ({ id }) => [id])
  },
})

export const createSpace = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/spaces',
  summary: 'Create an empty space, in a collection or at the top level',
  description:
    'In a collection, what counts is the permission "create" on the collection. Access is what the surroundings give; nothing is granted.',
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
  async handler({ tx, me, at, body, organization, organizationRole, now, newId }) {
    const place = { organizationId: organization.id, organizationRole }
    const role = await needPlace(tx, me, place, body.parent ?? null)
    const space = await insertSpace(tx, {
      ...body,
      organizationId: organization.id,
      userId: me.userId,
      now,
      newId,
    })
    return toSpace(at, tx, space, role)
  },
})

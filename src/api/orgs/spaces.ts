import { Type } from 'typebox'
import { onOrg } from '../../access/on.ts'
import { notFound } from '../../http/errors.ts'
import { listOf, listPage, ListQuery } from '../../http/page.ts'
import { route } from '../../http/route.ts'
import { Id, InOrganization, oneOf } from '../../model/common.ts'
import {
  insertSpace,
  LANGUAGES,
  roleOnSpace,
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
  query: ListQuery,
  returns: listOf(Space),
  async handler({ db, at, organization, organizationRole, page }) {
    const visible = db
      .selectFrom('space')
      .where('organizationId', '=', organization.id)
      .where('deletedAt', 'is', null)
      .$if(organizationRole === null, (query) => query.where('id', '=', ''))
      .$if(organizationRole !== 'admin', (query) => query.where('defaultLevel', 'is not', null))
    const rows = await visible
      .selectAll()
      .$if(page.after !== undefined, (query) => query.where('id', '>', page.after?.[0] ?? ''))
      .orderBy('id')
      .limit(page.limit + 1)
      .execute()
    const { count } = await visible.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    const spaces = await toSpaces(at, db, rows, (row) => roleOnSpace(row, organizationRole))
    return listPage(spaces, Number(count), page, ({ id }) => [id])
  },
})

export const createSpace = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/spaces',
  summary: 'Create an empty space',
  access: onOrg('create'),
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
    // There are no collections yet, so no id can be the id of one.
    if (body.parent !== undefined) throw notFound('"parent" is not a collection of this organization')

    const space = await insertSpace(tx, {
      ...body,
      organizationId: organization.id,
      userId: me.userId,
      now,
      newId,
    })
    return toSpace(at, tx, space, roleOnSpace(space, organizationRole))
  },
})

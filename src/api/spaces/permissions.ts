import { Type } from 'typebox'
import { demand, onSpace, type OnSpace } from '../../access/checks/on.ts'
import { aggregateRoute, type PermissionBase, permissionRoutes } from '../../shared-routes/permissions.ts'
import { notFound } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { Id, InSpace } from '../../model/common.ts'
import { explain, Explanation } from '../../model/access/permission.ts'

const base: PermissionBase<OnSpace> = {
  path: '/v1/spaces/:spaceId',
  kind: 'space',
  access: onSpace('create'),
  params: { spaceId: Id },
  subject: ({ space, role, organizationRole }) => ({ thing: space, role, organizationRole }),
}
const family = permissionRoutes(base)

export const inviteToSpace = family.invite
export const listUserPermissionsInSpace = family.users
export const listTeamPermissionsInSpace = family.teams
export const listPermissionsAggregateInSpace = aggregateRoute(base).aggregate
export const updateUserPermissionInSpace = family.updateUser
export const updateTeamPermissionInSpace = family.updateTeam
export const removeUserFromSpace = family.removeUser
export const removeTeamFromSpace = family.removeTeam

export const explainPermissionInSpace = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/permissions/explain',
  summary: 'Explain the role of a user on a space',
  description:
    'By default, this is the role of the caller. Members who can grant access to the space can send another `user`.',
  access: onSpace('read'),
  params: InSpace,
  query: Type.Object({ user: Type.Optional(Id) }),
  returns: Explanation,
  async handler({ db, me, urls, query, space, role, organizationRole }) {
    const userId = query.user ?? me.userId
    if (userId !== me.userId) {
      demand(organizationRole, 'read', 'to-explain')
      demand(role, 'create', 'on-space')
    }
    const member = await db
      .selectFrom('member')
      .selectAll()
      .where('organizationId', '=', space.organizationId)
      .where('userId', '=', userId)
      .executeTakeFirst()
    const user = await db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
    if (!member || !user) throw notFound('member')
    return explain(urls, db, space, { user, member })
  },
})

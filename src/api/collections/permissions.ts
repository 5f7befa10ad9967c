import { onCollection, type OnCollection } from '../../access/checks/on.ts'
import { aggregateRoute, type PermissionBase, permissionRoutes } from '../../shared-routes/permissions.ts'
import { Id } from '../../model/common.ts'

const base: PermissionBase<OnCollection> = {
  path: '/v1/collections/:collectionId',
  kind: 'collection',
  access: onCollection('create'),
  params: { collectionId: Id },
  subject: ({ collection, role, organizationRole }) => ({ thing: collection, role, organizationRole }),
}
const family = permissionRoutes(base)

export const inviteToCollection = family.invite
export const listUserPermissionsInCollection = family.users
export const listTeamPermissionsInCollection = family.teams
export const listPermissionsAggregateInCollection = aggregateRoute(base).aggregate
export const updateUserPermissionInCollection = family.updateUser
export const updateTeamPermissionInCollection = family.updateTeam
export const removeUserFromCollection = family.removeUser
export const removeTeamFromCollection = family.removeTeam

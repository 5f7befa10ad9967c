import { onCollection } from '../../access/checks/on.ts'
import { permissionRoutes } from '../../shared-routes/permissions.ts'
import { Id } from '../../model/common.ts'

const family = permissionRoutes({
  path: '/v1/collections/:collectionId',
  kind: 'collection',
  access: onCollection('create'),
  params: { collectionId: Id },
  subject: ({ collection, role, organizationRole }) => ({ thing: collection, role, organizationRole }),
})

export const inviteToCollection = family.invite
export const listUserPermissionsInCollection = family.users
export const listTeamPermissionsInCollection = family.teams
export const listPermissionsAggregateInCollection = family.aggregate
export const updateUserPermissionInCollection = family.updateUser
export const updateTeamPermissionInCollection = family.updateTeam
export const removeUserFromCollection = family.removeUser
export const removeTeamFromCollection = family.removeTeam

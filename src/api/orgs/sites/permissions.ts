import { Type } from 'typebox'
import { onSite, type OnSite } from '../../../access/checks/on-site.ts'
import { ROLES } from '../../../access/roles/roles.ts'
import { listItems, listOf, ListQuery } from '../../../http/pagination.ts'
import { route } from '../../../http/route.ts'
import { Id, InSite, oneOf } from '../../../model/common.ts'
import { listSiteUsers, SITE_USER_ORDERS, UserSitePermission } from '../../../model/access/site-permission.ts'
import { type PermissionBase, permissionRoutes } from '../../../shared-routes/permissions.ts'

const base: PermissionBase<OnSite> = {
  path: '/v1/orgs/:organizationId/sites/:siteId',
  kind: 'site',
  access: onSite('create'),
  params: InSite.properties,
  // A site is in no collection.
  subject: ({ site, role, organizationRole }) => ({
    thing: { ...site, parent: null },
    role,
    organizationRole,
  }),
}
const family = permissionRoutes(base)

export const inviteToSite = family.invite
export const listUserPermissionsInSite = family.users
export const listTeamPermissionsInSite = family.teams
export const updateUserPermissionInSite = family.updateUser
export const updateTeamPermissionInSite = family.updateTeam
export const removeUserFromSite = family.removeUser
export const removeTeamFromSite = family.removeTeam

export const listPermissionsAggregateInSite = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/permissions/aggregate',
  summary: 'List the users who can access a site, with their effective role and its origin',
  description:
    'Guests see only themselves and users with a direct grant. They see neither e-mail addresses, nor teams, nor when a user was last active.',
  access: onSite('create'),
  params: InSite,
  query: Type.Object({
    ...ListQuery.properties,
    order: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
    role: Type.Optional(
      oneOf([...ROLES, 'guest'], {
        description: 'Return only users with this role on the site, or only guests of the organization',
      }),
    ),
    search: Type.Optional(
      Type.String({
        maxLength: 512,
        description: 'Return only users whose name or e-mail address contains this text, ignoring case',
      }),
    ),
    sort: Type.Optional(oneOf(SITE_USER_ORDERS, { default: 'joinedAt' })),
    team: Type.Optional({ ...Id, description: 'Return only members of this team' }),
  }),
  returns: listOf(UserSitePermission),
  async handler({ db, me, urls, site, organizationRole, query, page }) {
    const { order = 'desc', sort = 'joinedAt', ...filter } = query
    const viewer = { userId: me.userId, role: organizationRole }
    const { users, key } = await listSiteUsers(db, site, viewer, { ...filter, order, sort })
    const { items, ...envelope } = await listItems(users, page, {
      key,
      order,
      sizes: (size) => size === 2,
    })
    return { ...envelope, items: items.map((user) => user.shownBy(urls)) }
  },
})

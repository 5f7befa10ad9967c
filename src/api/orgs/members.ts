import type { SelectQueryBuilder } from 'kysely'
import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import { onOrgOrSelf } from '../../access/checks/on-people.ts'
import { atLeast, ROLES } from '../../access/roles/roles.ts'
import { loadReach } from '../../access/roles/reach.ts'
import type { Role, Schema } from '../../db/schema.ts'
import { countRows, listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { Id, nullable, oneOf, InOrganization, RoleSchema } from '../../model/common.ts'
import { grantsOf, teamsWith } from '../../model/access/holdings.ts'
import {
  keepAdministrator,
  Member,
  needMember,
  removeMember,
  selectMembers,
  toMember,
  toMembers,
} from '../../model/membership/member.ts'
import { setLimit } from '../../model/access/role-limit.ts'
import { Space, toSpaces } from '../../model/places/space.ts'
import { containing, Team, TeamRole, toTeams } from '../../model/people/team.ts'

const OfMember = Type.Object({ organizationId: Id, userId: Id })
const Order = oneOf(['asc', 'desc'], { default: 'desc' })

export const listMembersInOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/members',
  summary: 'List the members of an organization, newest first',
  description: 'Sorting by `lastSeenAt` lists only members who have been active. Guests cannot list members.',
  access: onOrg('read'),
  params: InOrganization,
  query: Type.Object({
    ...ListQuery.properties,
    order: Type.Optional(Order),
    sort: Type.Optional(oneOf(['joinedAt', 'lastSeenAt'], { default: 'joinedAt' })),
    role: Type.Optional(oneOf([...ROLES, 'guest'])),
    search: Type.Optional(
      Type.String({
        maxLength: 512,
        description: 'Return only members whose name or e-mail address contains this text, ignoring case',
      }),
    ),
  }),
  returns: listOf(Member),
  async handler({ db, urls, organization, query, page }) {
    const { order = 'desc', sort = 'joinedAt', role, search } = query
    const narrow = <O>(members: SelectQueryBuilder<Schema, 'member' | 'user', O>) =>
      members
        .$if(sort === 'lastSeenAt', (some) => some.where('member.lastSeenAt', 'is not', null))
        .$if(role === 'guest', (some) => some.where('member.role', 'is', null))
        .$if(role !== undefined && role !== 'guest', (some) => some.where('member.role', '=', role as Role))
        .$if(!!search, (some) =>
          some.where((eb) =>
            eb.or([containing(eb.ref('user.displayName'), search), containing(eb.ref('user.email'), search)]),
          ),
        )

    // Joining the user only for a search keeps the count of a large organization to one index.
    const everyone = db.selectFrom('member').where('member.organizationId', '=', organization.id)
    const counted = search
      ? narrow(everyone.innerJoin('user', 'user.id', 'member.userId'))
      : narrow(everyone as never)
    const list = await listRows(narrow(selectMembers(db, organization.id)), page, {
      by: [`member.${sort}`, 'member.userId'],
      order,
      count: () => countRows(counted),
    })
    return { ...list, items: await toMembers(urls, db, organization.id, list.items) }
  },
})

export const getMemberInOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/members/:userId',
  summary: 'Get a member of an organization',
  access: onOrgOrSelf('read'),
  params: OfMember,
  returns: Member,
  async handler({ db, urls, organization, params }) {
    return toMember(urls, db, await needMember(db, organization.id, params.userId))
  },
})

export const updateMemberInOrganizationById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/members/:userId',
  summary: 'Update the role of a member, or disable the member',
  description:
    'A role of `null` makes the member a guest. A disabled member has no access to the organization. From then on, an invite link to the organization gives the member at most this role. The request fails with 409 for the last administrator.',
  access: onOrg('admin'),
  params: OfMember,
  body: Type.Object({
    role: Type.Optional(nullable(RoleSchema)),
    disabled: Type.Optional(Type.Boolean()),
  }),
  returns: Member,
  async handler({ tx, urls, organization, params, body, now, audit }) {
    const member = await needMember(tx, organization.id, params.userId)
    audit({ before: member })
    const changed = {
      role: body.role === undefined ? member.role : body.role,
      disabled: body.disabled === undefined ? member.disabled : body.disabled ? (1 as const) : (0 as const),
    }

    await tx
      .updateTable('member')
      .set(changed)
      .where('organizationId', '=', organization.id)
      .where('userId', '=', member.userId)
      .execute()
    // A link to the organization gives them no more than that from now on.
    if (body.role !== undefined) await setLimit(tx, { ...member, role: body.role, disabled: 0 }, now)
    await keepAdministrator(tx, organization.id)
    return toMember(urls, tx, { ...member, ...changed })
  },
})

export const removeMemberFromOrganizationById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/members/:userId',
  summary: 'Remove a member from an organization, or leave it',
  description:
    'The user loses access immediately; their content stays. The request fails with 409 for the last administrator. The response is 204 even if the user is not a member.',
  access: onOrgOrSelf('admin'),
  params: OfMember,
  async handler({ tx, organization, params, now, audit }) {
    const { id: organizationId } = organization
    const { userId } = params
    const member = await selectMembers(tx, organizationId)
      .where('member.userId', '=', userId)
      .executeTakeFirst()
    if (member) {
      const { role, disabled, displayName: label } = member
      const teams = await teamsWith(tx, organizationId, userId)
      const grants = await grantsOf(tx, organizationId, { kind: 'user', id: userId })
      const before = { role, disabled: disabled === 1, teams, ...grants }
      audit({ target: { type: 'member', id: userId, label }, before })
    }
    if (!(await removeMember(tx, organization.id, params.userId, now))) return ABSENT
    await keepAdministrator(tx, organization.id)
    return undefined
  },
})

export const setUserAsSSOMemberForOrganization = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/members/:userId/sso',
  summary: 'Mark a member as a single sign-on user',
  access: onOrg('admin'),
  params: OfMember,
  returns: Member,
  async handler({ tx, urls, organization, params }) {
    const member = await needMember(tx, organization.id, params.userId)
    await tx
      .updateTable('member')
      .set({ sso: 1 })
      .where('organizationId', '=', organization.id)
      .where('userId', '=', member.userId)
      .execute()
    return toMember(urls, tx, { ...member, sso: 1 })
  },
})

export const listSpacesForOrganizationMember = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/members/:userId/spaces',
  summary: 'List the spaces that a member can read, with the role on each, newest first',
  description: 'Administrators can list the spaces of every member, and members their own.',
  access: onOrgOrSelf('admin'),
  params: OfMember,
  query: Type.Object({ ...ListQuery.properties, order: Type.Optional(Order) }),
  returns: listOf(Type.Object({ permission: RoleSchema, space: Space })),
  async handler({ db, me, urls, organization, organizationRole, params, query, page }) {
    const { order = 'desc' } = query
    const member = await needMember(db, organization.id, params.userId)
    const reach = await loadReach(db, member)

    const readable = db
      .selectFrom('space')
      .selectAll()
      .where('organizationId', '=', organization.id)
      .where('deletedAt', 'is', null)
      .where(reach.spacesFrom('read'))
      .$if(member.disabled === 1, (none) => none.where('id', '=', ''))
    const { items: rows, ...envelope } = await listRows(readable, page, {
      by: ['id'],
      order,
      count: () => (member.disabled === 1 ? 0 : reach.countSpaces(db, 'read')),
    })
    const roleOn = await reach.onSpaces(db, rows)
    const mine = params.userId === me.userId
    const spaces = await toSpaces(urls, db, rows, mine ? roleOn : () => organizationRole)
    const items = spaces.flatMap((space) => {
      const permission = roleOn(space)
      return permission ? [{ permission, space }] : []
    })
    return { ...envelope, items }
  },
})

export const listTeamsForOrganizationMember = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/members/:userId/teams',
  summary: 'List the teams of a member, oldest first',
  access: onOrgOrSelf('read'),
  params: OfMember,
  query: Type.Object({
    ...ListQuery.properties,
    title: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Return only items whose title contains this text, ignoring case',
      }),
    ),
  }),
  returns: listOf(Type.Object({ team: Team, member: Type.Object({ role: TeamRole }) })),
  async handler({ db, me, organization, organizationRole, params, query, page }) {
    await needMember(db, organization.id, params.userId)
    const theirs = db
      .selectFrom('teamMember')
      .innerJoin('team', 'team.id', 'teamMember.teamId')
      .selectAll('team')
      .select('teamMember.role')
      .where('teamMember.userId', '=', params.userId)
      .where('team.organizationId', '=', organization.id)
      .$if(!!query.title, (some) => some.where((eb) => containing(eb.ref('team.title'), query.title)))
      // Guests see no teams but those they own.
      .$if(!atLeast(organizationRole, 'read'), (some) => some.where('teamMember.role', '=', 'owner'))
    const { items: rows, ...envelope } = await listRows(theirs, page, { by: ['team.id'] })
    const teams = await toTeams(db, organization.id, rows, { userId: me.userId, role: organizationRole })
    const items = rows.flatMap(({ role }, i) => {
      const team = teams[i]
      return team ? [{ team, member: { role } }] : []
    })
    return { ...envelope, items }
  },
})

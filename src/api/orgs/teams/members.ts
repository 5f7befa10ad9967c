import { Type } from 'typebox'
import { onTeam } from '../../../access/checks/on-people.ts'
import { atLeast } from '../../../access/roles/roles.ts'
import { listOf, ListQuery, listRows } from '../../../http/pagination.ts'
import { notFound } from '../../../http/errors.ts'
import { ABSENT, route } from '../../../http/route.ts'
import { Id, idPattern } from '../../../model/common.ts'
import { Member, selectMembers, toMembers } from '../../../model/membership/member.ts'
import { rolesInTeam } from '../../../model/access/holdings.ts'
import { allNamed, membersNamedBy, refuseEscape, TeamRole } from '../../../model/people/team.ts'
import { addWithin } from '../../../model/membership/team-joining.ts'

const InTeam = Type.Object({ organizationId: Id, teamId: Id })
const InTeamMember = Type.Object({ organizationId: Id, teamId: Id, userId: Id })

const Named = Type.Array(Type.String({ minLength: 1, maxLength: 320 }), {
  maxItems: 1000,
  description: 'User ids or e-mail addresses of members',
})

const TeamMember = Type.Object(
  {
    organization: Member,
    team: Type.Object({ role: TeamRole }),
    permissions: Type.Object({ view: Type.Boolean() }),
  },
  { title: 'TeamMember' },
)

export const listTeamMembersInOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/teams/:teamId/members',
  summary: 'List the members of a team',
  access: onTeam('read'),
  params: InTeam,
  query: ListQuery,
  returns: listOf(TeamMember),
  async handler({ db, urls, organization, organizationRole, team, page }) {
    const inTeam = selectMembers(db, organization.id)
      .innerJoin('teamMember', 'teamMember.userId', 'member.userId')
      .select('teamMember.role as teamRole')
      .where('teamMember.teamId', '=', team.id)
    const list = await listRows(inTeam, page, { by: ['member.userId'] })
    const emailShown = atLeast(organizationRole, 'read')
    const members = await toMembers(urls, db, organization.id, list.items, emailShown)
    const items = members.map((member, i) => ({
      organization: member,
      team: { role: list.items[i]?.teamRole ?? 'member' },
      permissions: { view: true },
    }))
    return { ...list, items }
  },
})

export const updateMembersInOrganizationTeam = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/teams/:teamId/members',
  summary: 'Add members to a team and remove others',
  description:
    'A member in both `add` and `remove` is removed. `memberships` sets roles by user id. The owners of a team manage its members, whatever their role in the organization. A guest who owns the team can name only members of the teams they own, by id. If the team has a grant of "no access", only administrators can remove members. Only administrators can add a user who would lose access by joining, or who is excluded from something that the team can access.',
  access: onTeam('owner'),
  params: InTeam,
  bodyLimit: 512 * 1024,
  body: Type.Object({
    add: Type.Optional(Named),
    remove: Type.Optional(Named),
    memberships: Type.Optional(
      Type.Record(Type.String(), Type.Object({ role: Type.Optional(TeamRole) }), {
        maxProperties: 1000,
        propertyNames: idPattern,
      }),
    ),
  }),
  async handler({ tx, me, organization, organizationRole, team, body, now, audit }) {
    const { add = [], remove = [], memberships = {} } = body
    const by = { userId: me.userId, role: organizationRole }
    const needNamed = async (names: string[], pathOf: (name: string, index: number) => string) =>
      allNamed(names, await membersNamedBy(tx, organization.id, names, by), pathOf)
    const added = await needNamed(add, (_, i) => `body.add.${i}`)
    const given = await needNamed(Object.keys(memberships), (id) => `body.memberships.${id}`)
    const removed = await needNamed(remove, (_, i) => `body.remove.${i}`)

    const named = [...new Set([...added, ...given, ...removed])]
    const before = { members: await rolesInTeam(tx, team.id, named) }
    const users = [
      ...added.map((id) => ({ id, role: undefined })),
      ...given.map((id) => ({ id, role: memberships[id]?.role })),
    ]
    const joining = users.filter(({ id }) => !removed.includes(id))
    await addWithin(tx, team, organizationRole, joining, now)
    if (removed.length > 0) {
      const { numDeletedRows } = await tx
        .deleteFrom('teamMember')
        .where('teamId', '=', team.id)
        .where('userId', 'in', removed)
        .executeTakeFirst()
      if (numDeletedRows > 0n) await refuseEscape(tx, team.id, organizationRole)
    }
    const after = { members: await rolesInTeam(tx, team.id, named) }
    audit({ target: { type: 'team', id: team.id, label: team.title }, before, after })
  },
})

export const addMemberToOrganizationTeamById = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/teams/:teamId/members/:userId',
  summary: 'Add a member to a team, or change their role in it',
  description:
    'Without `role`, a member of the team keeps their role, and a new one becomes `member`. A guest who owns the team can name only members of the teams they own. Only administrators can add a user who would lose access by joining, or who is excluded from something that the team can access.',
  access: onTeam('owner'),
  params: InTeamMember,
  body: Type.Object({ role: Type.Optional(TeamRole) }),
  async handler({ tx, me, organization, organizationRole, team, params, body, now, audit }) {
    const { userId } = params
    const by = { userId: me.userId, role: organizationRole }
    if (!(await membersNamedBy(tx, organization.id, [userId], by)).has(userId)) throw notFound('member')
    const before = { members: await rolesInTeam(tx, team.id, [userId]) }
    await addWithin(tx, team, organizationRole, [{ id: userId, role: body.role }], now)
    const after = { members: await rolesInTeam(tx, team.id, [userId]) }
    audit({ target: { type: 'team', id: team.id, label: team.title }, before, after })
  },
})

export const deleteMemberFromOrganizationTeamById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/teams/:teamId/members/:userId',
  summary: 'Remove a member from a team',
  description:
    'The response is 204 even if the user is not in the team. If the team has a grant of "no access", only administrators can remove members.',
  access: onTeam('owner'),
  params: InTeamMember,
  async handler({ tx, organizationRole, team, params, audit }) {
    const before = { members: await rolesInTeam(tx, team.id, [params.userId]) }
    audit({ target: { type: 'team', id: team.id, label: team.title }, before, after: { members: [] } })
    const { numDeletedRows } = await tx
      .deleteFrom('teamMember')
      .where('teamId', '=', team.id)
      .where('userId', '=', params.userId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return ABSENT
    return refuseEscape(tx, team.id, organizationRole)
  },
})

import { Type } from 'typebox'
import { ID_PATTERN } from '../../../core/id.ts'
import { onTeam } from '../../../access/on-people.ts'
import { atLeast } from '../../../access/roles.ts'
import { listOf, listPage, ListQuery, textAfter } from '../../../http/page.ts'
import { GONE, route } from '../../../http/route.ts'
import { Id } from '../../../model/common.ts'
import { Member, selectMembers, toMembers } from '../../../model/member.ts'
import { rolesInTeam } from '../../../model/holdings.ts'
import { needNamed, refuseEscape, TeamRole } from '../../../model/team.ts'
import { addWithin } from '../../../model/team-joining.ts'

const InTeam = Type.Object({ organizationId: Id, teamId: Id })
const InTeamMember = Type.Object({ organizationId: Id, teamId: Id, userId: Id })

const Named = Type.Array(Type.String({ minLength: 1, maxLength: 320 }), {
  maxItems: 1000,
  description: 'Ids or addresses of members',
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
  summary: 'The members of a team',
  access: onTeam('read'),
  params: InTeam,
  query: ListQuery,
  returns: listOf(TeamMember),
  async handler({ db, at, organization, organizationRole, team, page }) {
    const rows = await selectMembers(db, organization.id)
      .innerJoin('teamMember', 'teamMember.userId', 'member.userId')
      .select('teamMember.role as teamRole')
      .where('teamMember.teamId', '=', team.id)
      .$if(page.after !== undefined, (some) => some.where('member.userId', '>', textAfter(page) ?? ''))
      .orderBy('member.userId')
      .limit(page.limit + 1)
      .execute()
    const { count } = await db
      .selectFrom('teamMember')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('teamId', '=', team.id)
      .executeTakeFirstOrThrow()

    const shown = rows.slice(0, page.limit)
    const members = await toMembers(at, db, organization.id, shown, atLeast(organizationRole, 'read'))
    const items = members.map((member, i) => ({
      organization: member,
      team: { role: shown[i]?.teamRole ?? 'member' },
      permissions: { view: true },
    }))
    return { ...listPage(rows, Number(count), page, ({ userId }) => [userId]), items }
  },
})

export const updateMembersInOrganizationTeam = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/teams/:teamId/members',
  summary: 'Add members to a team and remove others',
  description:
    'Whoever is named to be added and to be removed is removed. `memberships` gives roles by user id. A team’s owners manage its members whatever their role, guests among those who are in teams of theirs already, by id; where the team has a grant of "no access", only administrators take members out. Only they add somebody who would have less access by it, or who is shut out of what the team is granted.',
  access: onTeam('owner'),
  params: InTeam,
  body: Type.Object({
    add: Type.Optional(Named),
    remove: Type.Optional(Named),
    memberships: Type.Optional(
      Type.Record(Type.String(), Type.Object({ role: Type.Optional(TeamRole) }), {
        maxProperties: 1000,
        propertyNames: { pattern: ID_PATTERN },
      }),
    ),
  }),
  async handler({ tx, me, organization, organizationRole, team, body, now, audit }) {
    const { add = [], remove = [], memberships = {} } = body
    const by = { userId: me.userId, role: organizationRole }
    const added = await needNamed(tx, organization.id, add, by)
    const given = await needNamed(tx, organization.id, Object.keys(memberships), by)
    const removed = await needNamed(tx, organization.id, remove, by)

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
    'Without `role`, whoever is in the team keeps theirs, and others become members. Guests who own the team name only who is in a team of theirs already. Only administrators add somebody who would have less access by it, or who is shut out of what the team is granted.',
  access: onTeam('owner'),
  params: InTeamMember,
  body: Type.Object({ role: Type.Optional(TeamRole) }),
  async handler({ tx, me, organization, organizationRole, team, params, body, now, audit }) {
    const { userId } = params
    await needNamed(tx, organization.id, [userId], { userId: me.userId, role: organizationRole })
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
    'Answers 204 too when they are not in the team any more. Where the team has a grant of "no access", only administrators take members out.',
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
    if (numDeletedRows === 0n) return GONE
    return refuseEscape(tx, team.id, organizationRole)
  },
})

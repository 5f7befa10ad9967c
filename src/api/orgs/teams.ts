import { Type } from 'typebox'
import { onOrg } from '../../access/on.ts'
import { onTeam } from '../../access/on-people.ts'
import { listOf, listPage, ListQuery, textAfter } from '../../http/page.ts'
import { GONE, route } from '../../http/route.ts'
import { Id, InOrganization } from '../../model/common.ts'
import { grantsOf, rolesInTeam } from '../../model/holdings.ts'
import { addToTeam, containing, needMembers, Team, TeamTitle, toTeam, toTeams } from '../../model/team.ts'

const InTeam = Type.Object({ organizationId: Id, teamId: Id })

export const listTeamsInOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/teams',
  summary: 'The teams of an organization, oldest first',
  description: 'Guests cannot list teams.',
  access: onOrg('read'),
  params: InOrganization,
  query: Type.Object({
    ...ListQuery.properties,
    owner: Type.Optional(
      Type.String({ maxLength: 64, description: 'The id of a member: only teams that they can manage' }),
    ),
    title: Type.Optional(Type.String({ maxLength: 64, description: 'Part of the title, in any case' })),
  }),
  returns: listOf(Team),
  async handler({ db, me, organization, organizationRole, query, page }) {
    const { owner } = query
    const administers =
      owner !== undefined &&
      (await db
        .selectFrom('member')
        .select('userId')
        .where('organizationId', '=', organization.id)
        .where('userId', '=', owner)
        .where('role', '=', 'admin')
        .executeTakeFirst()) !== undefined

    const teams = db
      .selectFrom('team')
      .where('organizationId', '=', organization.id)
      .$if(!!query.title, (some) => some.where((eb) => containing(eb.ref('title'), query.title)))
      .$if(owner !== undefined && !administers, (some) =>
        some.where('id', 'in', (eb) =>
          eb
            .selectFrom('teamMember')
            .select('teamId')
            .where('userId', '=', owner ?? '')
            .where('role', '=', 'owner'),
        ),
      )
    const rows = await teams
      .selectAll()
      .$if(page.after !== undefined, (some) => some.where('id', '>', textAfter(page) ?? ''))
      .orderBy('id')
      .limit(page.limit + 1)
      .execute()
    const { count } = await teams.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()

    const viewer = { userId: me.userId, role: organizationRole }
    const items = await toTeams(db, organization.id, rows.slice(0, page.limit), viewer)
    return { ...listPage(rows, Number(count), page, ({ id }) => [id]), items }
  },
})

export const createOrganizationTeam = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/teams',
  summary: 'Create a team',
  access: onOrg('admin'),
  params: InOrganization,
  body: Type.Object({
    title: TeamTitle,
    members: Type.Optional(Type.Array(Id, { maxItems: 1000, description: 'Ids of members' })),
  }),
  returns: Team,
  status: 201,
  location: ({ id }, at, { organizationId }) => at.api(`/orgs/${organizationId}/teams/${id}`),
  async handler({ tx, me, organization, organizationRole, body, now, newId }) {
    const members = await needMembers(tx, organization.id, body.members ?? [])
    const at = now.toISOString()
    const team = {
      id: newId(),
      organizationId: organization.id,
      title: body.title,
      createdAt: at,
      updatedAt: at,
    }
    await tx.insertInto('team').values(team).execute()
    await addToTeam(
      tx,
      team.id,
      members.map((id) => ({ id })),
      now,
    )
    return toTeam(tx, team, { userId: me.userId, role: organizationRole })
  },
})

export const getTeamInOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/teams/:teamId',
  summary: 'A team',
  access: onTeam('read'),
  params: InTeam,
  returns: Team,
  async handler({ db, me, team, organizationRole }) {
    return toTeam(db, team, { userId: me.userId, role: organizationRole })
  },
})

export const updateTeamInOrganizationById = route({
  method: 'PATCH',
  path: '/v1/orgs/:organizationId/teams/:teamId',
  summary: 'Rename a team',
  access: onTeam('admin'),
  params: InTeam,
  body: Type.Object({ title: TeamTitle }),
  returns: Team,
  async handler({ tx, me, team, organizationRole, body, now }) {
    const renamed = await tx
      .updateTable('team')
      .set({ title: body.title, updatedAt: now.toISOString() })
      .where('id', '=', team.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toTeam(tx, renamed, { userId: me.userId, role: organizationRole })
  },
})

export const removeTeamFromOrganizationById = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/teams/:teamId',
  summary: 'Delete a team, and with it what was granted to it',
  description: 'Answers 204 too when the team is not there any more.',
  access: onOrg('admin'),
  params: InTeam,
  async handler({ tx, organization, params, audit }) {
    const team = await tx
      .selectFrom('team')
      .select(['id', 'title'])
      .where('id', '=', params.teamId)
      .where('organizationId', '=', organization.id)
      .executeTakeFirst()
    if (!team) return GONE

    const { id, title } = team
    const members = await rolesInTeam(tx, id)
    const grants = await grantsOf(tx, organization.id, { kind: 'team', id })
    audit({ target: { type: 'team', id, label: title }, before: { title, members, ...grants } })
    await tx.deleteFrom('teamMember').where('teamId', '=', team.id).execute()
    await tx
      .deleteFrom('grant')
      .where('granteeKind', '=', 'team')
      .where('granteeId', '=', team.id)
      .where('organizationId', '=', organization.id)
      .execute()
    await tx.deleteFrom('team').where('id', '=', team.id).execute()
    return undefined
  },
})

import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import { onTeam } from '../../access/checks/on-people.ts'
import { listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { Id, InOrganization } from '../../model/common.ts'
import { grantsOf, rolesInTeam } from '../../model/access/holdings.ts'
import {
  addToTeam,
  containing,
  needMembers,
  removeTeam,
  Team,
  TeamTitle,
  toTeam,
  toTeams,
} from '../../model/people/team.ts'

const InTeam = Type.Object({ organizationId: Id, teamId: Id })

export const listTeamsInOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/teams',
  summary: 'List the teams of an organization, oldest first',
  description: 'Guests cannot list teams.',
  access: onOrg('read'),
  params: InOrganization,
  query: Type.Object({
    ...ListQuery.properties,
    owner: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The id of a member: return only teams that this member can manage',
      }),
    ),
    title: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Return only items whose title contains this text, ignoring case',
      }),
    ),
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
      .selectAll()
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
    const list = await listRows(teams, page, { by: ['id'] })
    const viewer = { userId: me.userId, role: organizationRole }
    return { ...list, items: await toTeams(db, organization.id, list.items, viewer) }
  },
})

export const createOrganizationTeam = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/teams',
  summary: 'Create a team',
  access: onOrg('admin'),
  params: InOrganization,
  bodyLimit: 512 * 1024,
  body: Type.Object({
    title: TeamTitle,
    members: Type.Optional(Type.Array(Id, { maxItems: 1000, description: 'Ids of members' })),
  }),
  returns: Team,
  status: 201,
  location: ({ id }, urls, { organizationId }) => urls.api(`/orgs/${organizationId}/teams/${id}`),
  async handler({ tx, me, organization, organizationRole, body, now, newId }) {
    const members = await needMembers(tx, organization.id, body.members ?? [], 'body.members')
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
  summary: 'Get a team',
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
  summary: 'Delete a team and its grants',
  description: 'The response is 204 even if the team does not exist.',
  access: onOrg('admin'),
  params: InTeam,
  async handler({ tx, organization, params, audit }) {
    const team = await tx
      .selectFrom('team')
      .select(['id', 'organizationId', 'title'])
      .where('id', '=', params.teamId)
      .where('organizationId', '=', organization.id)
      .executeTakeFirst()
    if (!team) return ABSENT

    const { id, title } = team
    const members = await rolesInTeam(tx, id)
    const grants = await grantsOf(tx, organization.id, { kind: 'team', id })
    audit({ target: { type: 'team', id, label: title }, before: { title, members, ...grants } })
    await removeTeam(tx, team)
    return undefined
  },
})

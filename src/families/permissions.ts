import { Type, type TSchema } from 'typebox'
import type { Reader, Tx } from '../db/schema.ts'
import { invalid, notFound } from '../http/errors.ts'
import { listOf, listPage, ListQuery, textAfter } from '../http/page.ts'
import { type Access, GONE, route } from '../http/route.ts'
import { Id, RoleSchema } from '../model/common.ts'
import {
  changeGrant,
  type Granting,
  grantsOn,
  grantTo,
  listGranted,
  refuseMore,
  removeGrant,
} from '../model/granting.ts'
import {
  Granted,
  holdersOf,
  TeamPermission,
  toTeamPermissions,
  toUserPermissions,
  UserPermission,
} from '../model/permission.ts'
import { needMembers } from '../model/team.ts'

/** What grants are on: a space or a collection. */
export interface PermissionBase<Subject extends object> {
  path: `/v1/${'spaces/:spaceId' | 'collections/:collectionId'}`
  /** For messages: `space`. */
  kind: 'space' | 'collection'
  access: Access<Subject>
  params: Record<string, TSchema>
  subject(context: Subject): Omit<Granting, 'kind'>
}

const GRANTEES_MAX = 100
const Grantees = Type.Array(Id, { minItems: 1, maxItems: GRANTEES_MAX, uniqueItems: true })
const Change = Type.Object({ role: Type.Optional(Granted) })

/** The operations on grants, declared once for everything that has them. */
export function permissionFamily<Subject extends object>(base: PermissionBase<Subject>) {
  const { kind, access } = base
  const path = `${base.path}/permissions` as const
  const params = Type.Object(base.params)
  const withUser = Type.Object({ ...base.params, userId: Id })
  const withTeam = Type.Object({ ...base.params, teamId: Id })

  // The subject is a type parameter here, so the compiler cannot see that the context has it.
  const of = (context: object): Granting => ({ kind, ...base.subject(context as Subject) })

  return {
    invite: route({
      method: 'POST',
      path,
      summary: `Grant users or teams a role on a ${kind}`,
      description:
        'All of them or none; a role that they had by a grant is replaced. Null is an explicit "no access". Nobody grants more than they have themselves.',
      access,
      params,
      body: Type.Object({
        users: Type.Optional(Grantees),
        teams: Type.Optional(Grantees),
        role: Granted,
      }),
      async handler(context) {
        const { tx, body, now, audit } = context
        const granting = of(context)
        const { organizationId } = granting.thing
        if (!body.users && !body.teams) throw invalid('Send "users" or "teams"')
        refuseMore(granting, body.role)
        const users = await needMembers(tx, organizationId, body.users ?? [])
        const teams = await needTeams(tx, organizationId, body.teams ?? [])
        const grantees = [
          ...users.map((id) => ({ kind: 'user' as const, id })),
          ...teams.map((id) => ({ kind: 'team' as const, id })),
        ]
        await grantTo(tx, granting, grantees, { role: body.role, now, audit })
      },
    }),

    users: route({
      method: 'GET',
      path: `${path}/users`,
      summary: `The users with a grant on a ${kind}`,
      access,
      params,
      query: ListQuery,
      returns: listOf(UserPermission),
      async handler(context) {
        const { db, at, page } = context
        const granting = of(context)
        const { items, ...envelope } = await listGranted(grantsOn(db, granting, 'user'), page)
        return { ...envelope, items: await toUserPermissions(at, db, items, granting.organizationRole) }
      },
    }),

    teams: route({
      method: 'GET',
      path: `${path}/teams`,
      summary: `The teams with a grant on a ${kind}`,
      description: 'Guests see the teams that they own.',
      access,
      params,
      query: ListQuery,
      returns: listOf(TeamPermission),
      async handler(context) {
        const { db, me, page } = context
        const granting = of(context)
        const viewer = { userId: me.userId, role: granting.organizationRole }
        const granted = grantsOn(db, granting, 'team').$if(viewer.role === null, (grants) =>
          grants.where('granteeId', 'in', ownedBy(db, me.userId)),
        )
        const { items, ...envelope } = await listGranted(granted, page)
        const { organizationId } = granting.thing
        return { ...envelope, items: await toTeamPermissions(db, organizationId, items, viewer) }
      },
    }),

    aggregate: route({
      method: 'GET',
      path: `${path}/aggregate`,
      summary: `Everybody who can see a ${kind}, with the role they have on it, wherever it comes from`,
      description: 'Guests see themselves and those with a grant on it.',
      access,
      params,
      query: Type.Object({ ...ListQuery.properties, role: Type.Optional(RoleSchema) }),
      returns: listOf(UserPermission),
      async handler(context) {
        const { db, me, at, query, page } = context
        const granting = of(context)
        const { thing, organizationRole } = granting
        const holders = await holdersOf(db, { ...thing, kind })
        const all = holders.map(({ userId, role }) => ({ id: userId, role }))
        const granted =
          organizationRole === null
            ? await grantsOn(db, granting, 'user').select('granteeId').execute()
            : undefined
        const shown = granted && new Set([me.userId, ...granted.map(({ granteeId }) => granteeId)])
        const wanted = all.filter(
          ({ id, role }) => (!query.role || role === query.role) && (!shown || shown.has(id)),
        )
        const after = textAfter(page) ?? ''
        const rest = wanted.filter(({ id }) => id > after).slice(0, page.limit + 1)
        const { items, ...envelope } = listPage(rest, wanted.length, page, ({ id }) => [id])
        return { ...envelope, items: await toUserPermissions(at, db, items, organizationRole) }
      },
    }),

    updateUser: route({
      method: 'PATCH',
      path: `${path}/users/:userId`,
      summary: `Change what a user is granted on a ${kind}`,
      access,
      params: withUser,
      body: Change,
      async handler(context) {
        const { tx, body, now, audit } = context
        const { userId } = context.params
        await changeGrant(tx, of(context), { kind: 'user', id: userId }, { role: body.role, now, audit })
      },
    }),

    updateTeam: route({
      method: 'PATCH',
      path: `${path}/teams/:teamId`,
      summary: `Change what a team is granted on a ${kind}`,
      access,
      params: withTeam,
      body: Change,
      async handler(context) {
        const { tx, body, now, audit } = context
        const { teamId } = context.params
        await changeGrant(tx, of(context), { kind: 'team', id: teamId }, { role: body.role, now, audit })
      },
    }),

    removeUser: route({
      method: 'DELETE',
      path: `${path}/users/:userId`,
      summary: `Take back what a user was granted on a ${kind}`,
      access,
      params: withUser,
      status: 205,
      async handler(context) {
        const { tx, audit } = context
        const grantee = { kind: 'user' as const, id: context.params.userId }
        return (await removeGrant(tx, of(context), grantee, audit)) ? undefined : GONE
      },
    }),

    removeTeam: route({
      method: 'DELETE',
      path: `${path}/teams/:teamId`,
      summary: `Take back what a team was granted on a ${kind}`,
      access,
      params: withTeam,
      status: 205,
      async handler(context) {
        const { tx, audit } = context
        const grantee = { kind: 'team' as const, id: context.params.teamId }
        return (await removeGrant(tx, of(context), grantee, audit)) ? undefined : GONE
      },
    }),
  }
}

async function needTeams(tx: Tx, organizationId: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .selectFrom('team')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  if (rows.length < ids.length) throw notFound()
  return ids
}

function ownedBy(db: Reader, userId: string) {
  return db.selectFrom('teamMember').select('teamId').where('userId', '=', userId).where('role', '=', 'owner')
}

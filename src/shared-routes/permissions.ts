import { Type, type TSchema } from 'typebox'
import type { Tx } from '../db/schema.ts'
import { invalid, invalidFields, unknownIdFault } from '../http/errors.ts'
import { listItems, listOf, ListQuery } from '../http/pagination.ts'
import { type Access, ABSENT, route } from '../http/route.ts'
import { Id, RoleSchema } from '../model/common.ts'
import {
  changeGrant,
  type Grantee,
  type Granting,
  grantsOn,
  grantTo,
  listGranted,
  refuseMore,
  removeGrant,
} from '../model/access/granting.ts'
import {
  Granted,
  membersWithRole,
  TeamPermission,
  toTeamPermissions,
  toUserPermissions,
  UserPermission,
} from '../model/access/permission.ts'
import { needMembers, teamsOwnedBy } from '../model/people/team.ts'
import { because } from '../core/languages/reasons.ts'

/** The target of grants: a space, a collection or a site. */
export interface PermissionBase<Subject extends object> {
  path: `/v1/${'spaces/:spaceId' | 'collections/:collectionId' | 'orgs/:organizationId/sites/:siteId'}`
  /** For messages: `space`. */
  kind: Granting['kind']
  access: Access<Subject>
  params: Record<string, TSchema>
  subject(context: Subject): Omit<Granting, 'kind'>
}

const GRANTEES_MAX = 100
const GranteeIds = Type.Array(Id, { minItems: 1, maxItems: GRANTEES_MAX, uniqueItems: true })
const Change = Type.Object({ role: Type.Optional(Granted) })

/** The routes for grants, shared by spaces, collections and sites. */
export function permissionRoutes<Subject extends object>(base: PermissionBase<Subject>) {
  const user = granteeRoutes(base, 'user')
  const team = granteeRoutes(base, 'team')
  return {
    ...inviteRoute(base),
    ...grantRoutes(base),
    updateUser: user.update,
    updateTeam: team.update,
    removeUser: user.remove,
    removeTeam: team.remove,
  }
}

/** The space, collection or site of a request, on which it changes or lists grants. */
function grantingIn<Subject extends object>(
  { kind, subject }: PermissionBase<Subject>,
  context: object,
): Granting {
  // The subject is a type parameter, so the compiler cannot see that the context has it.
  return { kind, ...subject(context as Subject) }
}

function inviteRoute<Subject extends object>(base: PermissionBase<Subject>) {
  return {
    invite: route({
      method: 'POST',
      path: `${base.path}/permissions`,
      summary: `Grant users or teams a role on a ${base.kind}`,
      description:
        'The grant replaces an earlier grant to the same user or team. A role of `null` means "no access". The role cannot exceed that of the caller. If one id is unknown, nothing is granted.',
      access: base.access,
      params: Type.Object(base.params),
      body: Type.Object({
        users: Type.Optional(GranteeIds),
        teams: Type.Optional(GranteeIds),
        role: Granted,
      }),
      async handler(context) {
        const { tx, body, now, audit } = context
        const granting = grantingIn(base, context)
        const { organizationId } = granting.thing
        if (!body.users && !body.teams) throw invalid(because('grantees-missing'))
        refuseMore(granting, body.role)
        const users = await needMembers(tx, organizationId, body.users ?? [], 'body.users')
        const teams = await needTeams(tx, organizationId, body.teams ?? [])
        const grantees = [
          ...users.map((id) => ({ kind: 'user' as const, id })),
          ...teams.map((id) => ({ kind: 'team' as const, id })),
        ]
        await grantTo(tx, granting, grantees, { role: body.role, now, audit })
      },
    }),
  }
}

function grantRoutes<Subject extends object>(base: PermissionBase<Subject>) {
  const { kind, access } = base
  const params = Type.Object(base.params)
  return {
    users: route({
      method: 'GET',
      path: `${base.path}/permissions/users`,
      summary: `List the users with a grant on a ${kind}`,
      access,
      params,
      query: ListQuery,
      returns: listOf(UserPermission),
      async handler(context) {
        const { db, urls, page } = context
        const granting = grantingIn(base, context)
        const { items, ...envelope } = await listGranted(grantsOn(db, granting, 'user'), page)
        return { ...envelope, items: await toUserPermissions(urls, db, items, granting.organizationRole) }
      },
    }),

    teams: route({
      method: 'GET',
      path: `${base.path}/permissions/teams`,
      summary: `List the teams with a grant on a ${kind}`,
      description: 'Guests see only the teams they own.',
      access,
      params,
      query: ListQuery,
      returns: listOf(TeamPermission),
      async handler(context) {
        const { db, me, page } = context
        const granting = grantingIn(base, context)
        const viewer = { userId: me.userId, role: granting.organizationRole }
        const granted = grantsOn(db, granting, 'team').$if(viewer.role === null, (grants) =>
          grants.where('granteeId', 'in', teamsOwnedBy(db, me.userId)),
        )
        const { items, ...envelope } = await listGranted(granted, page)
        const { organizationId } = granting.thing
        return { ...envelope, items: await toTeamPermissions(db, organizationId, items, viewer) }
      },
    }),
  }
}

/** The list of all who have access to a space or collection. */
export function aggregateRoute<Subject extends object>(base: PermissionBase<Subject>) {
  const { kind, access } = base
  return {
    aggregate: route({
      method: 'GET',
      path: `${base.path}/permissions/aggregate`,
      summary: `List the users who can access a ${kind}, with their effective role`,
      description: 'Guests see only themselves and users with a direct grant.',
      access,
      params: Type.Object(base.params),
      query: Type.Object({ ...ListQuery.properties, role: Type.Optional(RoleSchema) }),
      returns: listOf(UserPermission),
      async handler(context) {
        const { db, me, urls, query, page } = context
        const granting = grantingIn(base, context)
        const { thing, organizationRole } = granting
        const holders = await membersWithRole(db, { ...thing, kind })
        const all = holders.map(({ userId, role }) => ({ id: userId, role }))
        const granted =
          organizationRole === null
            ? await grantsOn(db, granting, 'user').select('granteeId').execute()
            : undefined
        const shown = granted && new Set([me.userId, ...granted.map(({ granteeId }) => granteeId)])
        const wanted = all.filter(
          ({ id, role }) => (!query.role || role === query.role) && (!shown || shown.has(id)),
        )
        const { items, ...envelope } = await listItems(wanted, page, { key: ({ id }) => [id] })
        return { ...envelope, items: await toUserPermissions(urls, db, items, organizationRole) }
      },
    }),
  }
}

/** The routes that change the grant to one user or to one team. */
function granteeRoutes<Subject extends object>(base: PermissionBase<Subject>, granteeKind: Grantee['kind']) {
  const { kind, access } = base
  const name = `${granteeKind}Id` as const
  const path = `${base.path}/permissions/${granteeKind}s/:${name}` as const
  const params = Type.Object({ ...base.params, [name]: Id })

  const granteeIn = (context: { params: unknown }): Grantee => ({
    kind: granteeKind,
    id: (context.params as Record<string, string>)[name] ?? '',
  })

  return {
    update: route({
      method: 'PATCH',
      path,
      summary: `Update the grant of a ${granteeKind} on a ${kind}`,
      access,
      params,
      body: Change,
      async handler(context) {
        const { tx, body, now, audit } = context
        const granting = grantingIn(base, context)
        await changeGrant(tx, granting, granteeIn(context), { role: body.role, now, audit })
      },
    }),

    remove: route({
      method: 'DELETE',
      path,
      summary: `Revoke the grant of a ${granteeKind} on a ${kind}`,
      access,
      params,
      status: 205,
      async handler(context) {
        const { tx, audit } = context
        const removed = await removeGrant(tx, grantingIn(base, context), granteeIn(context), audit)
        return removed ? undefined : ABSENT
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
  const known = new Set(rows.map(({ id }) => id))
  const faults = ids.flatMap((id, i) =>
    known.has(id) ? [] : [unknownIdFault(`body.teams.${i}`, id, 'a team of this organization')],
  )
  if (faults.length > 0) throw invalidFields(faults)
  return ids
}

import { Type, type TSchema } from 'typebox'
import { demand } from '../access/on.ts'
import type { Reader, Role, Row, Tx } from '../db/schema.ts'
import { invalid, notFound } from '../http/errors.ts'
import { listOf, listPage, ListQuery, type Page } from '../http/page.ts'
import { type Access, type AuditNote, GONE, route } from '../http/route.ts'
import { Id, RoleSchema } from '../model/common.ts'
import { putGrant } from '../model/grant.ts'
import {
  changeWithin,
  Granted,
  holdersOf,
  TeamPermission,
  toTeamPermissions,
  toUserPermissions,
  UserPermission,
} from '../model/permission.ts'
import type { Thing } from '../model/place.ts'
import { needMembers } from '../model/team.ts'

/** What grants are on: a space or a collection. */
export interface PermissionBase<Subject extends object> {
  path: `/v1/${'spaces/:spaceId' | 'collections/:collectionId'}`
  /** For messages: `space`. */
  kind: 'space' | 'collection'
  access: Access<Subject>
  params: Record<string, TSchema>
  subject(context: Subject): Granting
}

/** The thing that grants are on, and what the caller is on it and in its organization. */
export interface Granting {
  thing: Pick<Row<'space'>, 'id' | 'organizationId' | 'parent' | 'defaultLevel' | 'title'>
  role: Role
  organizationRole: Role | null
}

const GRANTEES_MAX = 100
const Grantees = Type.Array(Id, { minItems: 1, maxItems: GRANTEES_MAX, uniqueItems: true })
type Grantee = { kind: 'user' | 'team'; id: string }
/** Who has which role by a grant; absent where they have none. */
type Held = (Grantee & { role: Role | null })[]

const Change = Type.Object({ role: Type.Optional(Granted) })

/** The operations on grants, declared once for everything that has them. */
export function permissionFamily<Subject extends object>(base: PermissionBase<Subject>) {
  const { kind, access } = base
  const path = `${base.path}/permissions` as const
  const params = Type.Object(base.params)
  const withUser = Type.Object({ ...base.params, userId: Id })
  const withTeam = Type.Object({ ...base.params, teamId: Id })
  const where = `on this ${kind}`

  // The subject is a type parameter here, so the compiler cannot see that the context has it.
  const of = (context: object) => base.subject(context as Subject)

  /** Nobody gives more than they have themselves. */
  function refuseMore({ role: own }: Granting, ...roles: (Role | null)[]): void {
    for (const role of roles) if (role !== null) demand(own, role, where)
  }

  const grantsOn = (db: Reader, granteeKind: 'user' | 'team', { thing }: Granting) =>
    selectGrants(db, { ...thing, kind }, granteeKind)

  /** What the audit log is told: on what, and who had and has which role by it. */
  function told({ thing }: Granting, before: Held, after: Held): AuditNote {
    const target = { type: kind, id: thing.id, label: thing.title }
    return { target, before: byKind(before), after: byKind(after) }
  }

  async function change(
    tx: Tx,
    granting: Granting,
    grantee: Grantee,
    { role, now, audit }: { role: Role | null | undefined; now: Date; audit: (note: AuditNote) => void },
  ): Promise<void> {
    const before = await grantsOn(tx, grantee.kind, granting)
      .select('role')
      .where('granteeId', '=', grantee.id)
      .executeTakeFirst()
    if (!before) throw notFound()
    const held = { ...grantee, role: before.role }
    audit(told(granting, [held], [role === undefined ? held : { ...grantee, role }]))
    if (role === undefined) return
    refuseMore(granting, before.role, role)
    const { id, organizationId } = granting.thing
    const target = { kind, id }
    await changeWithin(tx, { thing: target, role: granting.role, users: usersIn([grantee]) }, () =>
      putGrant(tx, { target, grantee, organizationId, role, now }),
    )
  }

  async function remove(tx: Tx, granting: Granting, grantee: Grantee, audit: (note: AuditNote) => void) {
    const thing = { kind, id: granting.thing.id }
    const known = grantsOn(tx, grantee.kind, granting).where('granteeId', '=', grantee.id)
    if (!(await known.select('role').executeTakeFirst())) return GONE
    const removed = await changeWithin(tx, { thing, role: granting.role, users: usersIn([grantee]) }, () =>
      tx
        .deleteFrom('grant')
        .where('targetKind', '=', kind)
        .where('targetId', '=', thing.id)
        .where('granteeKind', '=', grantee.kind)
        .where('granteeId', '=', grantee.id)
        .returning('role')
        .executeTakeFirst(),
    )
    if (!removed) return GONE
    refuseMore(granting, removed.role)
    audit(told(granting, [{ ...grantee, role: removed.role }], []))
    return undefined
  }

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
        const { id, organizationId } = granting.thing
        if (!body.users && !body.teams) throw invalid('Send "users" or "teams"')
        refuseMore(granting, body.role)
        const users = await needMembers(tx, organizationId, body.users ?? [])
        const teams = await needTeams(tx, organizationId, body.teams ?? [])
        const grantees = [
          ...users.map((user) => ({ kind: 'user' as const, id: user })),
          ...teams.map((team) => ({ kind: 'team' as const, id: team })),
        ]
        const target = { kind, id }
        const replaced: Held = []
        await changeWithin(tx, { thing: target, role: granting.role, users: usersIn(grantees) }, async () => {
          for (const grantee of grantees) {
            const before = await grantsOn(tx, grantee.kind, granting)
              .select('role')
              .where('granteeId', '=', grantee.id)
              .executeTakeFirst()
            refuseMore(granting, before?.role ?? null)
            if (before) replaced.push({ ...grantee, role: before.role })
            await putGrant(tx, { target, grantee, organizationId, role: body.role, now })
          }
        })
        const granted = grantees.map((grantee) => ({ ...grantee, role: body.role }))
        audit(told(granting, replaced, granted))
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
        const { items, ...envelope } = await listGranted(grantsOn(db, 'user', granting), page)
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
        const granted = grantsOn(db, 'team', granting).$if(viewer.role === null, (grants) =>
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
            ? await grantsOn(db, 'user', granting).select('granteeId').execute()
            : undefined
        const shown = granted && new Set([me.userId, ...granted.map(({ granteeId }) => granteeId)])
        const wanted = all.filter(
          ({ id, role }) => (!query.role || role === query.role) && (!shown || shown.has(id)),
        )
        const after = page.after?.[0] ?? ''
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
        await change(tx, of(context), { kind: 'user', id: userId }, { role: body.role, now, audit })
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
        await change(tx, of(context), { kind: 'team', id: teamId }, { role: body.role, now, audit })
      },
    }),

    removeUser: route({
      method: 'DELETE',
      path: `${path}/users/:userId`,
      summary: `Take back what a user was granted on a ${kind}`,
      access,
      params: withUser,
      status: 205,
      handler: (context) =>
        remove(context.tx, of(context), { kind: 'user', id: context.params.userId }, context.audit),
    }),

    removeTeam: route({
      method: 'DELETE',
      path: `${path}/teams/:teamId`,
      summary: `Take back what a team was granted on a ${kind}`,
      access,
      params: withTeam,
      status: 205,
      handler: (context) =>
        remove(context.tx, of(context), { kind: 'team', id: context.params.teamId }, context.audit),
    }),
  }
}

/** Whom grants to these are about; undefined where a team has them, which may have any number of members. */
function usersIn(grantees: { kind: 'user' | 'team'; id: string }[]): string[] | undefined {
  return grantees.every((grantee) => grantee.kind === 'user') ? grantees.map(({ id }) => id) : undefined
}

/** Who holds which role, as the audit log has it. */
function byKind(held: Held) {
  const of = (kind: Grantee['kind']) =>
    held.filter((one) => one.kind === kind).map(({ id, role }) => ({ id, role }))
  return { users: of('user'), teams: of('team') }
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

/** To users, those of members: what is kept of somebody who has left is not theirs before they are back. */
function selectGrants(
  db: Reader,
  { kind, id, organizationId }: Thing & { organizationId: string },
  granteeKind: 'user' | 'team',
) {
  const members = db.selectFrom('member').select('userId').where('organizationId', '=', organizationId)
  return db
    .selectFrom('grant')
    .where('targetKind', '=', kind)
    .where('targetId', '=', id)
    .where('granteeKind', '=', granteeKind)
    .$if(granteeKind === 'user', (grants) => grants.where('granteeId', 'in', members))
}

/** A page of who has a grant, by id. */
async function listGranted(grants: ReturnType<typeof selectGrants>, page: Page) {
  const rows = await grants
    .select(['granteeId as id', 'role'])
    .$if(page.after !== undefined, (some) => some.where('granteeId', '>', page.after?.[0] ?? ''))
    .orderBy('granteeId')
    .limit(page.limit + 1)
    .execute()
  const { count } = await grants.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
  return listPage(rows, Number(count), page, ({ id }) => [id])
}

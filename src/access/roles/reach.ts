import { type RawBuilder, sql } from 'kysely'
import type { DefaultLevel, Reader, Role, Row } from '../../db/schema.ts'
import { isOf, isOn } from './levels.ts'
import { countGranted, countGroups, grantedSpaces, groupsOf, spacesOf } from './count-spaces.ts'
import { atLeast, type AccessPlace, roleOnSpace, rolesFrom, rolesOnCollections } from './roles.ts'

/** A member of an organization; a null role is a guest. */
export interface Membership {
  userId: string
  organizationId: string
  role: Role | null
}

/** The roles of one member on all spaces and collections of an organization. */
export interface Reach {
  /** The member's role on a collection of the organization. */
  onCollection(id: string): Role | null
  /** SQL for whether the member has at least this role on a row of `space`. */
  spacesFrom(needed: Role): RawBuilder<boolean>
  /** The number of these spaces: those that are not deleted, or those that were deleted after `trashedSince`. */
  countSpaces(db: Reader, needed: Role, trashedSince?: string): Promise<number>
  /** The member's role on each of these spaces of the organization, from one query. */
  onSpaces(db: Reader, spaces: Space[]): Promise<(space: { id: string }) => Role | null>
}

type Space = AccessPlace & { id: string }

/**
 * Loads the roles that lists are filtered by. The collections of the organization are few, so their roles are computed
 * in memory. The spaces can be many, so the database filters them.
 */
export async function loadReach(db: Reader, member: Membership): Promise<Reach> {
  // An administrator of the organization has the role `admin` on everything in it.
  if (member.role === 'admin') {
    return {
      onCollection: () => 'admin',
      spacesFrom: () => sql<boolean>`1 = 1`,
      async countSpaces(reader, _needed, trashedSince) {
        const { count } = await spacesOf(reader, member.organizationId, trashedSince)
          .select((eb) => eb.fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
        return Number(count)
      },
      onSpaces: async () => () => 'admin',
    }
  }
  const { organizationId, userId } = member
  const collections = await collectionsIn(db, organizationId)
  const grants = await grantsOnCollections(db, organizationId, isOf(userId)).execute()
  const roles = rolesOnCollections(member.role, collections, grants)

  return {
    onCollection: (id) => roles.get(id) ?? null,
    spacesFrom: (needed) => spacesFrom(member, roles, needed),
    async countSpaces(reader, needed, trashedSince) {
      const groups = await groupsOf(reader, organizationId, trashedSince)
      const granted = await grantedSpaces(reader, organizationId, trashedSince, isOf(userId))
      return (
        countGroups(groups, member.role, roles, needed) + countGranted(granted, member.role, roles, needed)
      )
    },
    async onSpaces(reader, spaces) {
      const granted = await grantsOnEach(reader, 'space', member, spaces)
      const found = new Map(
        spaces.map((space) => [space.id, roleOnSpace(member.role, roles, space, granted.get(space.id))]),
      )
      return ({ id }) => found.get(id) ?? null
    },
  }
}

/** A member or a team whose spaces and sites are counted. A team counts as a guest who is in this team only. */
export interface SpaceViewer {
  /** The role in the organization; null for guests and for teams. */
  role: Role | null
  userId?: string
  teamIds: string[]
}

/** Members with the teams of the organization that they are in. */
export async function viewersAmong(
  db: Reader,
  organizationId: string,
  members: Pick<Row<'member'>, 'userId' | 'role'>[],
): Promise<SpaceViewer[]> {
  if (members.length === 0) return []
  const users = members.map(({ userId }) => userId)
  const teams = await db
    .selectFrom('teamMember')
    .innerJoin('team', 'team.id', 'teamMember.teamId')
    .select(['teamMember.userId', 'teamMember.teamId'])
    .where('team.organizationId', '=', organizationId)
    .where('teamMember.userId', 'in', users)
    .execute()
  const byUser = Map.groupBy(teams, ({ userId }) => userId)
  return members.map(({ userId, role }) => ({
    userId,
    role,
    teamIds: (byUser.get(userId) ?? []).map(({ teamId }) => teamId),
  }))
}

/** The number of spaces that each of these can read, in their order. The number of queries is constant. */
export async function countSpacesOf(
  db: Reader,
  organizationId: string,
  holders: SpaceViewer[],
): Promise<number[]> {
  if (holders.length === 0) return []
  const collections = await collectionsIn(db, organizationId)
  const groups = await groupsOf(db, organizationId, undefined)
  const toAny = isOfAny(holders)
  const onCollections = byGrantee(await grantsOnCollections(db, organizationId, toAny).execute())
  const onSpaces = byGrantee(await grantedSpaces(db, organizationId, undefined, toAny))

  // Members with the same role and without grants on collections differ only in their grants on spaces.
  const reached = (role: Role | null, grants: Granted[]) => {
    const roles = rolesOnCollections(role, collections, grants)
    return { roles, count: countGroups(groups, role, roles, 'read') }
  }
  const byRole = new Map<Role | null, ReturnType<typeof reached>>()
  return holders.map(({ role, userId, teamIds }) => {
    const grantees = granteesWith({ userId, teamIds })
    const own = grantees.flatMap((grantee) => onCollections.get(grantee) ?? [])
    const known = own.length === 0 ? byRole.get(role) : undefined
    const { roles, count } = known ?? reached(role, own)
    if (own.length === 0) byRole.set(role, { roles, count })
    const granted = grantees.flatMap((grantee) => onSpaces.get(grantee) ?? [])
    return count + countGranted(granted, role, roles, 'read')
  })
}

/** A member or team, and the teams of the member, as `byGrantee` names them. */
export function granteesWith({ userId, teamIds }: Pick<SpaceViewer, 'userId' | 'teamIds'>): string[] {
  return [...(userId ? [`user:${userId}`] : []), ...teamIds.map((id) => `team:${id}`)]
}

type Granted = { granteeKind: 'user' | 'team'; granteeId: string; targetId: string; role: Role | null }

/** Grants by their grantee, such as `team:abc`. */
export const byGrantee = <Grant extends Granted>(grants: Grant[]) =>
  Map.groupBy(grants, ({ granteeKind, granteeId }) => `${granteeKind}:${granteeId}`)

/** SQL for whether the grant `g` is to one of these. */
export function isOfAny(holders: SpaceViewer[]): RawBuilder<boolean> {
  const to = (kind: 'user' | 'team', grantees: string[]) =>
    grantees.length === 0
      ? never
      : sql<boolean>`(g."granteeKind" = ${kind} and g."granteeId" in (${sql.join(grantees)}))`
  const users = to(
    'user',
    holders.flatMap(({ userId }) => userId ?? []),
  )
  const teams = to('team', [...new Set(holders.flatMap(({ teamIds }) => teamIds))])
  return sql<boolean>`(${users} or ${teams})`
}

function collectionsIn(db: Reader, organizationId: string): Promise<(AccessPlace & { id: string })[]> {
  return db
    .selectFrom('collection')
    .select(['id', 'parent', 'defaultLevel'])
    .where('organizationId', '=', organizationId)
    .execute()
}

function grantsOnCollections(db: Reader, organizationId: string, toWhom: RawBuilder<boolean>) {
  return db
    .selectFrom('grant as g')
    .select(['g.granteeKind', 'g.granteeId', 'g.targetId', 'g.role'])
    .where('g.organizationId', '=', organizationId)
    .where(isOn('collection'))
    .where(toWhom)
}

/** The grants to a member, and to the member's teams, on each of these spaces or sites, by its id. */
export async function grantsOnEach(
  db: Reader,
  kind: 'space' | 'site',
  { userId }: Membership,
  things: readonly { id: string }[],
): Promise<Map<string, { role: Role | null }[]>> {
  if (things.length === 0) return new Map()
  const ids = things.map(({ id }) => id)
  const rows = await db
    .selectFrom('grant as g')
    .select(['g.targetId', 'g.role'])
    .where('g.targetKind', '=', kind)
    .where('g.targetId', 'in', ids)
    .where(isOf(userId))
    .execute()
  return Map.groupBy(rows, ({ targetId }) => targetId)
}

function spacesFrom(member: Membership, roles: Map<string, Role | null>, needed: Role): RawBuilder<boolean> {
  const { role } = member
  const mine = (which: RawBuilder<boolean>) => grantedTo(member, 'space', which)
  const enough = sql.join(rolesFrom(needed))
  const byDefault = role === null ? never : sql<boolean>`"space"."defaultLevel" in (${enough})`
  const atTop = atLeast(role, needed) ? sql<boolean>`"space"."parent" is null` : never

  return sql<boolean>`(
    "space"."id" in (${mine(sql<boolean>`g."role" in (${enough})`)})
    or ("space"."id" not in (${mine(sql<boolean>`1 = 1`)}) and (
      ${byDefault}
      or ("space"."defaultLevel" = ${'inherit' satisfies DefaultLevel} and (${atTop} or ${within(roles, needed)}))
    ))
  )`
}

/** SQL for the ids of the spaces or sites with a grant `g` to a member or to the member's teams. @param which narrows `g` */
export function grantedTo(
  { userId, organizationId }: Membership,
  kind: 'space' | 'site',
  which: RawBuilder<boolean>,
): RawBuilder<string> {
  // Found by grantee, who has few grants. A kind has many.
  return sql<string>`
    select g."targetId" from "grant" as g
    where g."granteeKind" = 'user' and g."granteeId" = ${userId}
      and g."organizationId" = ${organizationId} and g."targetKind" = ${kind} and ${which}
    union all
    select g."targetId" from "teamMember" as m join "grant" as g
      on g."granteeKind" = 'team' and g."granteeId" = m."teamId" and g."organizationId" = ${organizationId}
    where m."userId" = ${userId} and g."targetKind" = ${kind} and ${which}`
}

const never = sql<boolean>`1 = 0`

/** SQL for whether a space is in a collection on which the role is enough. It lists those or the others, whichever are fewer. */
function within(roles: Map<string, Role | null>, needed: Role): RawBuilder<boolean> {
  const { open = [], shut = [] } = Object.groupBy(roles, ([, role]) =>
    atLeast(role, needed) ? 'open' : 'shut',
  )
  if (open.length === 0) return never
  if (open.length <= shut.length) return sql<boolean>`"space"."parent" in (${ids(open)})`
  if (shut.length === 0) return sql<boolean>`"space"."parent" is not null`
  return sql<boolean>`("space"."parent" is not null and "space"."parent" not in (${ids(shut)}))`
}

const ids = (entries: [string, Role | null][]) => sql.join(entries.map(([id]) => id))

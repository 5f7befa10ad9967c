import { type RawBuilder, sql } from 'kysely'
import type { DefaultLevel, Reader, Role, Row } from '../db/schema.ts'
import { isOf } from './levels.ts'
import { atLeast, effectiveRole, rolesFrom } from './roles.ts'

/** A member of an organization; a null role is a guest. */
export interface Membership {
  userId: string
  organizationId: string
  role: Role | null
}

/** What one member may do with all the spaces and collections of an organization. */
export interface Reach {
  /** The member's role on a collection of the organization. */
  onCollection(id: string): Role | null
  /** A condition on rows of `space`: those on which the member has at least this role. */
  spacesFrom(needed: Role): RawBuilder<boolean>
  /** How many spaces those are: of the ones in the trash since this time, or of those that are not in it. */
  countSpaces(db: Reader, needed: Role, trashedSince?: string): Promise<number>
  /** The member's role on each of these spaces of the organization, from one query. */
  onSpaces(db: Reader, spaces: SpaceLevel[]): Promise<(space: { id: string }) => Role | null>
}

type SpaceLevel = Pick<Row<'space'>, 'id' | 'parent' | 'defaultLevel'>
type CollectionLevel = Pick<Row<'collection'>, 'id' | 'parent' | 'defaultLevel'>

/**
 * Loads what lists are filtered by: the collections of the organization, which are few, get their roles in memory, and
 * the spaces, which may be many, are filtered by the database.
 */
export async function loadReach(db: Reader, member: Membership): Promise<Reach> {
  // An administrator is one everywhere, so there is nothing to look up.
  if (member.role === 'admin') {
    return {
      onCollection: () => 'admin',
      spacesFrom: () => sql<boolean>`1 = 1`,
      async countSpaces(reader, _needed, trashedSince) {
        const { count } = await spacesOf(reader, member, trashedSince)
          .select((eb) => eb.fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
        return Number(count)
      },
      onSpaces: async () => () => 'admin',
    }
  }
  const collections = await db
    .selectFrom('collection')
    .select(['id', 'parent', 'defaultLevel'])
    .where('organizationId', '=', member.organizationId)
    .execute()
  const grants = await db
    .selectFrom('grant as g')
    .select(['g.targetId', 'g.role'])
    .where('g.organizationId', '=', member.organizationId)
    .where('g.targetKind', '=', 'collection')
    .where(isOf(member.userId))
    .execute()
  const roles = rolesOnCollections(member.role, collections, grants)

  return {
    onCollection: (id) => roles.get(id) ?? null,
    spacesFrom: (needed) => spacesFrom(member, roles, needed),
    countSpaces: (reader, needed, trashedSince) => countSpaces(reader, member, roles, needed, trashedSince),
    async onSpaces(reader, spaces) {
      const granted = await grantsOnSpaces(reader, member, spaces)
      const found = new Map(spaces.map((space) => [space.id, roleOnSpace(member, roles, space, granted)]))
      return ({ id }) => found.get(id) ?? null
    },
  }
}

/** The role of a member on each of the collections of an organization. */
export function rolesOnCollections(
  organizationRole: Role | null,
  collections: CollectionLevel[],
  grants: { targetId: string; role: Role | null }[],
): Map<string, Role | null> {
  const levels = new Map(collections.map((collection) => [collection.id, collection]))
  const granted = Map.groupBy(grants, ({ targetId }) => targetId)
  const roles = new Map<string, Role | null>()

  const roleOn = ({ id, parent, defaultLevel }: CollectionLevel): Role | null => {
    const known = roles.get(id)
    if (known !== undefined) return known
    const own = (granted.get(id) ?? []).map(({ role }) => role)
    const above = own.length === 0 && defaultLevel === 'inherit' && parent ? levels.get(parent) : undefined
    const role = above ? roleOn(above) : effectiveRole(organizationRole, [{ defaultLevel, grants: own }])
    roles.set(id, role)
    return role
  }
  for (const collection of collections) roleOn(collection)
  return roles
}

function roleOnSpace(
  member: Membership,
  roles: Map<string, Role | null>,
  { id, parent, defaultLevel }: SpaceLevel,
  granted: Map<string, { role: Role | null }[]>,
): Role | null {
  const own = (granted.get(id) ?? []).map(({ role }) => role)
  if (own.length === 0 && defaultLevel === 'inherit' && parent !== null) return roles.get(parent) ?? null
  return effectiveRole(member.role, [{ defaultLevel, grants: own }])
}

async function grantsOnSpaces(db: Reader, { userId }: Membership, spaces: SpaceLevel[]) {
  if (spaces.length === 0) return new Map<string, { role: Role | null }[]>()
  const ids = spaces.map(({ id }) => id)
  const rows = await db
    .selectFrom('grant as g')
    .select(['g.targetId', 'g.role'])
    .where('g.targetKind', '=', 'space')
    .where('g.targetId', 'in', ids)
    .where(isOf(userId))
    .execute()
  return Map.groupBy(rows, ({ targetId }) => targetId)
}

function spacesOf(db: Reader, { organizationId }: Membership, trashedSince: string | undefined) {
  return db
    .selectFrom('space')
    .where('space.organizationId', '=', organizationId)
    .$if(trashedSince === undefined, (spaces) => spaces.where('space.deletedAt', 'is', null))
    .$if(trashedSince !== undefined, (spaces) => spaces.where('space.deletedAt', '>', trashedSince ?? ''))
}

/**
 * Spaces with the same level in the same place are the same to a member, but for what was granted on them; so they are
 * counted in groups, and the few that were granted are put right one by one.
 */
async function countSpaces(
  db: Reader,
  member: Membership,
  roles: Map<string, Role | null>,
  needed: Role,
  trashedSince: string | undefined,
): Promise<number> {
  const groups = await spacesOf(db, member, trashedSince)
    .select(['parent', 'defaultLevel'])
    .select((eb) => eb.fn.countAll().as('count'))
    .groupBy(['parent', 'defaultLevel'])
    .execute()
  const granted = await spacesOf(db, member, trashedSince)
    .innerJoin('grant as g', 'g.targetId', 'space.id')
    .select(['space.id', 'space.parent', 'space.defaultLevel', 'g.role'])
    .where('g.targetKind', '=', 'space')
    .where('g.organizationId', '=', member.organizationId)
    .where(isOf(member.userId))
    .execute()
  const grants = Map.groupBy(granted, ({ id }) => id)
  const none = new Map<string, { role: Role | null }[]>()
  const counts = (space: SpaceLevel, own: typeof none) =>
    Number(atLeast(roleOnSpace(member, roles, space, own), needed))

  let count = 0
  for (const group of groups) count += counts({ ...group, id: '' }, none) * Number(group.count)
  for (const [space] of grants.values()) if (space) count += counts(space, grants) - counts(space, none)
  return count
}

function spacesFrom(
  { userId, organizationId, role }: Membership,
  roles: Map<string, Role | null>,
  needed: Role,
): RawBuilder<boolean> {
  // By the grantee, who has few grants, not by the kind of thing, which has many.
  const mine = (which: RawBuilder<unknown>) => sql`
    select g."targetId" from "grant" as g
    where g."granteeKind" = 'user' and g."granteeId" = ${userId}
      and g."organizationId" = ${organizationId} and g."targetKind" = 'space' and ${which}
    union all
    select g."targetId" from "teamMember" as m join "grant" as g
      on g."granteeKind" = 'team' and g."granteeId" = m."teamId" and g."organizationId" = ${organizationId}
    where m."userId" = ${userId} and g."targetKind" = 'space' and ${which}`
  const enough = sql.join(rolesFrom(needed))
  const byDefault = role === null ? never : sql<boolean>`"space"."defaultLevel" in (${enough})`
  const atTop = atLeast(role, needed) ? sql<boolean>`"space"."parent" is null` : never

  return sql<boolean>`(
    "space"."id" in (${mine(sql`g."role" in (${enough})`)})
    or ("space"."id" not in (${mine(sql`1 = 1`)}) and (
      ${byDefault}
      or ("space"."defaultLevel" = ${'inherit' satisfies DefaultLevel} and (${atTop} or ${within(roles, needed)}))
    ))
  )`
}

const never = sql<boolean>`1 = 0`

/** Whether a space is in one of the collections on which the role is enough; names the fewer of those and the others. */
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

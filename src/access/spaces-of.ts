import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { DefaultLevel, Reader, Role, Row, Schema } from '../db/schema.ts'
import { effectiveRole, type Level } from './roles.ts'

/** Somebody whose access to the spaces of an organization is asked for; a team alone is a holder without a user. */
export interface Holder {
  /** The role in the organization; null for guests and for teams. */
  role: Role | null
  userId?: string
  teamIds: string[]
}

/** Members with the teams of the organization that they are in, to ask for what they reach. */
export async function holdersOf(
  db: Reader,
  organizationId: string,
  members: Pick<Row<'member'>, 'userId' | 'role'>[],
): Promise<Holder[]> {
  if (members.length === 0) return []
  const teams = await db
    .selectFrom('teamMember')
    .innerJoin('team', 'team.id', 'teamMember.teamId')
    .select(['teamMember.userId', 'teamMember.teamId'])
    .where('team.organizationId', '=', organizationId)
    .where(
      'teamMember.userId',
      'in',
      members.map(({ userId }) => userId),
    )
    .execute()
  const byUser = Map.groupBy(teams, ({ userId }) => userId)
  return members.map(({ userId, role }) => ({
    userId,
    role,
    teamIds: (byUser.get(userId) ?? []).map(({ teamId }) => teamId),
  }))
}

type Placed = Pick<Row<'space'>, 'id' | 'parent' | 'defaultLevel'>

/** What a holder may do in an organization, answered from what was loaded once. */
export interface Reach {
  roleOnSpace(space: Placed): Role | null
  roleOnCollection(id: string): Role | null
  /** Roles granted directly on spaces, to the user or a team of theirs; null in place of a role is "no access". */
  spaceGrants: Map<string, (Role | null)[]>
  hasCollectionGrants: boolean
}

/**
 * What each holder reaches in an organization. Two queries whatever the number of holders: the collections of one
 * organization and the grants to a page of holders are few, so the chains are walked in memory.
 */
export async function reachOf(db: Reader, organizationId: string, holders: Holder[]): Promise<Reach[]> {
  const collections = await loadCollections(db, organizationId)
  const grants = await loadGrants(db, organizationId, holders)
  return holders.map((holder) => reach(collections, grants, holder))
}

/** How many spaces each holder can read, in the order of the holders. */
export async function countSpacesOf(
  db: Reader,
  organizationId: string,
  holders: Holder[],
): Promise<number[]> {
  if (holders.length === 0) return []
  const reaches = await reachOf(db, organizationId, holders)
  const groups = await db
    .selectFrom('space')
    .select(['parent', 'defaultLevel'])
    .select((eb) => eb.fn.countAll().as('count'))
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .groupBy(['parent', 'defaultLevel'])
    .execute()
  const granted = await loadGranted(db, organizationId, reaches)

  // Whoever has no grant on a collection reaches the same spaces as everyone with the same role, but for own grants.
  const byRole = new Map<Role | null, number>()
  const sum = ({ roleOnSpace }: Reach) =>
    groups
      .filter(({ parent, defaultLevel }) => roleOnSpace({ id: '', parent, defaultLevel }) !== null)
      .reduce((total, { count }) => total + Number(count), 0)

  return reaches.map((one, i) => {
    const role = holders[i]?.role ?? null
    const known = one.hasCollectionGrants ? undefined : byRole.get(role)
    const ungranted = known ?? sum(one)
    if (!one.hasCollectionGrants) byRole.set(role, ungranted)

    let count = ungranted
    for (const id of one.spaceGrants.keys()) {
      const space = granted.get(id)
      if (!space) continue
      const without = one.roleOnSpace({ ...space, id: '' }) !== null
      const withGrant = one.roleOnSpace(space) !== null
      count += Number(withGrant) - Number(without)
    }
    return count
  })
}

/** The spaces that a holder can read, as a condition on `space`, so that lists of them page in the database. */
export async function readableBy(
  db: Reader,
  organizationId: string,
  holder: Holder,
): Promise<{ reach: Reach; condition: (eb: ExpressionBuilder<Schema, 'space'>) => Expression<SqlBool> }> {
  const [found] = await reachOf(db, organizationId, [holder])
  if (!found) throw new Error('one holder has one reach')
  const collections = await loadCollections(db, organizationId)
  const open = [...collections.keys()].filter((id) => found.roleOnCollection(id) !== null)
  const granted = [...found.spaceGrants.keys()]
  const allowed = granted.filter((id) => found.spaceGrants.get(id)?.some((role) => role !== null))

  const condition = (eb: ExpressionBuilder<Schema, 'space'>) => {
    if (holder.role === 'admin') return eb.lit(true)
    const inherits = eb('defaultLevel', '=', 'inherit')
    const ungranted = eb.or([
      ...(holder.role === null
        ? []
        : [
            eb.and([eb('defaultLevel', 'is not', null), eb('defaultLevel', '!=', 'inherit')]),
            eb.and([inherits, eb('parent', 'is', null)]),
          ]),
      ...(open.length > 0 ? [eb.and([inherits, eb('parent', 'in', open)])] : []),
      eb.lit(false),
    ])
    return eb.or([
      ...(allowed.length > 0 ? [eb('id', 'in', allowed)] : []),
      granted.length > 0 ? eb.and([eb('id', 'not in', granted), ungranted]) : ungranted,
    ])
  }
  return { reach: found, condition }
}

type Collections = Map<string, { parent: string | null; defaultLevel: DefaultLevel }>

async function loadCollections(db: Reader, organizationId: string): Promise<Collections> {
  const rows = await db
    .selectFrom('collection')
    .select(['id', 'parent', 'defaultLevel'])
    .where('organizationId', '=', organizationId)
    .execute()
  return new Map(rows.map(({ id, parent, defaultLevel }) => [id, { parent, defaultLevel }]))
}

type GrantsByGrantee = Map<string, Pick<Row<'grant'>, 'targetKind' | 'targetId' | 'role'>[]>

async function loadGrants(db: Reader, organizationId: string, holders: Holder[]): Promise<GrantsByGrantee> {
  const users = holders.flatMap(({ userId }) => (userId ? [userId] : []))
  const teams = [...new Set(holders.flatMap(({ teamIds }) => teamIds))]
  const rows =
    users.length + teams.length === 0
      ? []
      : await db
          .selectFrom('grant')
          .select(['granteeKind', 'granteeId', 'targetKind', 'targetId', 'role'])
          .where('organizationId', '=', organizationId)
          .where((eb) =>
            eb.or([
              ...(users.length > 0
                ? [eb.and([eb('granteeKind', '=', 'user'), eb('granteeId', 'in', users)])]
                : []),
              ...(teams.length > 0
                ? [eb.and([eb('granteeKind', '=', 'team'), eb('granteeId', 'in', teams)])]
                : []),
            ]),
          )
          .execute()
  return Map.groupBy(rows, ({ granteeKind, granteeId }) => `${granteeKind}:${granteeId}`)
}

function reach(collections: Collections, grants: GrantsByGrantee, holder: Holder): Reach {
  const grantees = [
    ...(holder.userId ? [`user:${holder.userId}`] : []),
    ...holder.teamIds.map((id) => `team:${id}`),
  ]
  const mine = grantees.flatMap((grantee) => grants.get(grantee) ?? [])
  const on = (kind: 'space' | 'collection') => {
    const grouped = Map.groupBy(
      mine.filter(({ targetKind }) => targetKind === kind),
      ({ targetId }) => targetId,
    )
    return new Map([...grouped].map(([id, rows]) => [id, rows.map(({ role }) => role)]))
  }
  const spaceGrants = on('space')
  const collectionGrants = on('collection')

  const chain = (start: string | null): Level[] => {
    const levels: Level[] = []
    for (let id = start; id !== null;) {
      const collection = collections.get(id)
      if (!collection) break
      levels.push({ defaultLevel: collection.defaultLevel, grants: collectionGrants.get(id) ?? [] })
      id = collection.parent
    }
    return levels
  }
  return {
    spaceGrants,
    hasCollectionGrants: collectionGrants.size > 0,
    roleOnCollection: (id) => (collections.has(id) ? effectiveRole(holder.role, chain(id)) : null),
    roleOnSpace: ({ id, parent, defaultLevel }) =>
      effectiveRole(holder.role, [
        { defaultLevel, grants: spaceGrants.get(id) ?? [] },
        ...(defaultLevel === 'inherit' ? chain(parent) : []),
      ]),
  }
}

async function loadGranted(
  db: Reader,
  organizationId: string,
  reaches: Reach[],
): Promise<Map<string, Placed>> {
  const ids = [...new Set(reaches.flatMap(({ spaceGrants }) => [...spaceGrants.keys()]))]
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('space')
    .select(['id', 'parent', 'defaultLevel'])
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((space) => [space.id, space]))
}

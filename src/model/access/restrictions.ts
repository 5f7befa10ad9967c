import { append } from '../../core/data/lists.ts'
import type { GrantTarget } from '../../access/roles/explain.ts'
import { isOf } from '../../access/roles/levels.ts'
import { effectiveRole, higher, type Level } from '../../access/roles/roles.ts'
import { outward } from '../../core/data/nesting.ts'
import type { Role, Row, Tx } from '../../db/schema.ts'
import { chunks } from '../../db/chunks.ts'

type Placed = GrantTarget & Pick<Row<'space'>, 'parent' | 'defaultLevel'>

/**
 * The spaces, collections and sites on which a grant, to a user or one of their teams, excludes the user or lowers their role.
 * Call this before the user leaves their teams, because a user who joins again is in no team.
 */
export async function restrictionsOf(
  tx: Tx,
  { organizationId, userId, role }: Pick<Row<'member'>, 'organizationId' | 'userId' | 'role'>,
): Promise<GrantTarget[]> {
  const grants = await tx
    .selectFrom('grant as g')
    .select(['g.targetKind', 'g.targetId', 'g.role'])
    .where('g.organizationId', '=', organizationId)
    .where(isOf(userId))
    .execute()
  if (grants.length === 0) return []
  const granted = Map.groupBy(grants, ({ targetKind, targetId }) => `${targetKind}:${targetId}`)
  const rolesOn = ({ kind, id }: GrantTarget) =>
    (granted.get(`${kind}:${id}`) ?? []).map((grant) => grant.role)

  const collections = await loadCollections(tx, organizationId)
  const byId = new Map(collections.map((one) => [one.id, one]))
  const levelOf = (one: Placed): Level => ({ defaultLevel: one.defaultLevel, grants: rolesOn(one) })
  const without = ({ parent, defaultLevel }: Placed): Role | null =>
    effectiveRole(role, [
      { defaultLevel, grants: [] },
      ...outward(collections, parent)
        .flatMap((id) => byId.get(id) ?? [])
        .map(levelOf),
    ])

  const targetIds = (kind: GrantTarget['kind']) => [
    ...new Set(grants.flatMap(({ targetKind, targetId }) => (targetKind === kind ? targetId : []))),
  ]
  const spaces = await loadSpaces(tx, targetIds('space'))
  const sites = await loadSites(tx, targetIds('site'))
  return [...collections, ...spaces, ...sites].filter((one) => {
    const roles = rolesOn(one)
    if (roles.includes(null)) return true
    // Grants do not restrict administrators.
    if (roles.length === 0 || role === 'admin') return false
    const most = roles.reduce(higher, null)
    return higher(most, without(one)) !== most
  })
}

/** Replaces all grants to a user in an organization with "no access" to these spaces, collections and sites. */
export async function leaveShutOut(
  tx: Tx,
  { organizationId, userId }: Pick<Row<'member'>, 'organizationId' | 'userId'>,
  things: GrantTarget[],
  now: Date,
): Promise<void> {
  await tx
    .deleteFrom('grant')
    .where('granteeKind', '=', 'user')
    .where('granteeId', '=', userId)
    .where('organizationId', '=', organizationId)
    .execute()
  const createdAt = now.toISOString()
  for (const some of chunks(things)) {
    const rows = some.map(({ kind, id }): Row<'grant'> => {
      const to = { granteeKind: 'user', granteeId: userId, organizationId } as const
      return { targetKind: kind, targetId: id, ...to, role: null, createdAt }
    })
    await tx.insertInto('grant').values(rows).execute()
  }
}

async function loadCollections(tx: Tx, organizationId: string): Promise<Placed[]> {
  const rows = await tx
    .selectFrom('collection')
    .select(['id', 'parent', 'defaultLevel'])
    .where('organizationId', '=', organizationId)
    .execute()
  return rows.map((row) => ({ ...row, kind: 'collection' }))
}

/** Includes spaces in the trash, because they can be restored. */
async function loadSpaces(tx: Tx, ids: string[]): Promise<Placed[]> {
  const spaces: Placed[] = []
  for (const some of chunks(ids)) {
    const rows = await tx
      .selectFrom('space')
      .select(['id', 'parent', 'defaultLevel'])
      .where('id', 'in', some)
      .execute()
    append(
      spaces,
      rows.map((row) => ({ ...row, kind: 'space' as const })),
    )
  }
  return spaces
}

async function loadSites(tx: Tx, ids: string[]): Promise<Placed[]> {
  const sites: Placed[] = []
  for (const some of chunks(ids)) {
    const rows = await tx.selectFrom('site').select(['id', 'defaultLevel']).where('id', 'in', some).execute()
    append(
      sites,
      rows.map((row) => ({ ...row, kind: 'site' as const, parent: null })),
    )
  }
  return sites
}

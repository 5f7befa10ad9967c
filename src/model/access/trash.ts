import { append } from '../../core/data/lists.ts'
import type { Step } from '../../access/roles/explain.ts'
import { isOf } from '../../access/roles/levels.ts'
import type { Membership, Reach } from '../../access/roles/reach.ts'
import { demand } from '../../access/checks/on.ts'
import { TRASH_DAYS } from '../../access/roles/trash-period.ts'
import { atLeast, effectiveRole, higher, type Level } from '../../access/roles/roles.ts'
import { outward } from '../../core/data/nesting.ts'
import type { DefaultLevel, Role, Tx } from '../../db/schema.ts'
import type { Enqueue } from '../../http/route.ts'
import { collectionsOf } from '../places/collection.ts'
import { rolesThrough, stepsTo } from './permission.ts'
import { chunks } from '../../db/chunks.ts'

const DAY_MS = 24 * 3_600_000

/** Moves spaces to the trash and schedules their permanent removal. */
export async function trashSpaces(tx: Tx, enqueue: Enqueue, ids: string[], now: Date): Promise<void> {
  const deletedAt = now.toISOString()
  const runAt = new Date(now.getTime() + TRASH_DAYS * DAY_MS)
  for (const some of chunks(ids)) {
    await tx.updateTable('space').set({ deletedAt, updatedAt: deletedAt }).where('id', 'in', some).execute()
    const purges = some.map((spaceId) => ({ spaceId, deletedAt }))
    await enqueue(tx, 'purge-space', purges, { runAt })
  }
}

/**
 * Refuses to delete collections with a space or collection that the caller may not delete. The error does not name it,
 * because the caller might not see it.
 * @throws 403
 */
export async function requireCreateOnAll(tx: Tx, inside: string[], reach: Reach): Promise<void> {
  for (const id of inside) demand(reach.onCollection(id), 'create', 'to-delete-all')
  for (const ids of chunks(inside)) {
    const spaces = await tx
      .selectFrom('space')
      .select(['id', 'parent', 'defaultLevel'])
      .where('parent', 'in', ids)
      .where('deletedAt', 'is', null)
      .execute()
    for (const some of chunks(spaces)) {
      const roleOn = await reach.onSpaces(tx, some)
      for (const space of some) demand(roleOn(space), 'create', 'to-delete-all')
    }
  }
}

/**
 * Moves the spaces of collections that are being deleted to the trash. Each can be restored to the place of the
 * outermost collection. The access that a space inherited is lost with the collections, so the space keeps the
 * inherited level as its own.
 * @param inside the ids of the collections, the outermost first
 */
export async function trashWithin(
  tx: Tx,
  enqueue: Enqueue,
  inside: string[],
  { member, reach, now }: { member: Membership; reach: Reach; now: Date },
): Promise<void> {
  const { organizationId } = member
  const collections = await collectionsOf(tx, organizationId)
  const [outermost = ''] = inside
  const parent = collections.find(({ id }) => id === outermost)?.parent ?? null
  const granted = await grantsOnCollections(tx, inside)
  const levels = new Map(collections.map(({ id, defaultLevel }) => [id, defaultLevel]))

  for (const id of inside) {
    const path = outward(collections, id)
    const above = path.slice(0, path.indexOf(outermost) + 1)
    const kept = levelLeft(
      above.map((one) => ({
        defaultLevel: levels.get(one) ?? null,
        grants: (granted.get(one) ?? []).map(({ role }) => role),
      })),
    )
    const spaces = await tx
      .selectFrom('space')
      .select(['id', 'defaultLevel', 'deletedAt'])
      .where('parent', '=', id)
      .execute()
    const orphans = spaces.filter(({ defaultLevel }) => defaultLevel === 'inherit')
    const gives = orphans.length > 0 && (await raisesAccess(tx, { id, outermost, level: kept }))
    const level = gives ? null : kept
    const role = reach.onCollection(id)
    // The caller may keep too little access to restore the spaces. A grant then keeps their role.
    const around = parent === null ? member.role : reach.onCollection(parent)
    const left =
      level === 'inherit' ? around : effectiveRole(member.role, [{ defaultLevel: level, grants: [] }])
    if (atLeast(role, 'create') && !atLeast(left, 'create')) await keepControl(tx, member, orphans, role, now)
    if (level !== 'inherit') {
      for (const ids of chunks(orphans.map((space) => space.id)))
        await tx.updateTable('space').set({ defaultLevel: level }).where('id', 'in', ids).execute()
    }
    await tx.updateTable('space').set({ parent }).where('parent', '=', id).execute()
    const there = spaces.flatMap((space) => (space.deletedAt === null ? space.id : []))
    await trashSpaces(tx, enqueue, there, now)
  }
}

/** Whether a level at the place of the outermost collection gives any user more than inheriting from this one does. */
async function raisesAccess(
  tx: Tx,
  { id, outermost, level }: { id: string; outermost: string; level: DefaultLevel },
): Promise<boolean> {
  const { organizationId, steps } = await stepsTo(tx, { kind: 'collection', id })
  const left = steps.slice(steps.findIndex((step) => step.id === outermost) + 1)
  const before = await rolesThrough(tx, organizationId, steps)
  const own: Step = { kind: 'space', id: '', defaultLevel: level, grants: new Map() }
  const after = await rolesThrough(tx, organizationId, [own, ...left])
  return [...after].some(([userId, role]) => {
    const was = before.get(userId) ?? null
    return higher(was, role) !== was
  })
}

/**
 * The level that replaces inheriting from deleted collections, given the nearest first. It is null if a grant on one of
 * them is below that level, because a deletion must not give anyone more access.
 */
function levelLeft(collections: readonly Level[]): DefaultLevel {
  const granted: (Role | null)[] = []
  for (const { defaultLevel, grants } of collections) {
    append(granted, grants)
    if (defaultLevel === 'inherit') continue
    const restricts = defaultLevel !== null && granted.some((role) => !atLeast(role, defaultLevel))
    return restricts ? null : defaultLevel
  }
  // Inheriting from above gives at most `create`, except to administrators, who have access anyway.
  return granted.some((role) => !atLeast(role, 'create')) ? null : 'inherit'
}

async function grantsOnCollections(tx: Tx, collections: string[]) {
  const found: { targetId: string; role: Role | null }[] = []
  for (const ids of chunks(collections)) {
    const rows = await tx
      .selectFrom('grant')
      .select(['targetId', 'role'])
      .where('targetKind', '=', 'collection')
      .where('targetId', 'in', ids)
      .execute()
    append(found, rows)
  }
  return Map.groupBy(found, ({ targetId }) => targetId)
}

/** Grants the caller the roles on spaces that they inherited, so that they can restore them. */
async function keepControl(
  tx: Tx,
  { userId, organizationId }: Membership,
  spaces: { id: string }[],
  role: Role | null,
  now: Date,
): Promise<void> {
  const grantee = { granteeKind: 'user', granteeId: userId } as const
  const common = {
    targetKind: 'space',
    ...grantee,
    organizationId,
    role,
    createdAt: now.toISOString(),
  } as const
  for (const some of chunks(spaces)) {
    const ids = some.map(({ id }) => id)
    const own = await tx
      .selectFrom('grant as g')
      .select('g.targetId')
      .where('g.targetKind', '=', 'space')
      .where('g.targetId', 'in', ids)
      .where(isOf(userId))
      .execute()
    const known = new Set(own.map(({ targetId }) => targetId))
    const grants = ids.flatMap((targetId) => (known.has(targetId) ? [] : { targetId, ...common }))
    if (grants.length > 0) await tx.insertInto('grant').values(grants).execute()
  }
}

import { type Static, Type } from 'typebox'
import { followed } from '../core/merge/body-place.ts'
import type { Choice, Conflict } from '../core/merge/model.ts'
import type { Reader, Row, Tx } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import { oneOf, present, Timestamp } from './common.ts'
import { User, usersIn } from './user.ts'

const Value = (description: string) => Type.Unknown({ description })

/** What a change request and the primary content contradict each other in. */
export const MergeConflict = Type.Object(
  {
    object: oneOf(['merge-conflict']),
    id: Type.String(),
    status: oneOf(['open', 'resolved']),
    kind: oneOf(['body', 'field', 'existence', 'place'], {
      description:
        'A block of a body; a field; deleted by one and changed by the other; moved to different places',
    }),
    target: Type.Object({
      object: oneOf(['page', 'file', 'reusable-content', 'space']),
      id: Type.String(),
      title: Type.Optional(Type.String()),
    }),
    field: Type.Optional(Type.String({ description: 'Of kind `field`: which' })),
    name: Type.Optional(Type.String({ description: 'Of `variables` and `redirects`: the name of the one' })),
    base: Value('What both had once: Markdown of a block, the value of a field; null where there was none'),
    primary: Value('What the primary content has'),
    own: Value('What the change request has'),
    createdAt: Timestamp,
    resolvedAt: Type.Optional(Timestamp),
    resolvedBy: Type.Optional(User),
    resolution: Type.Optional(
      Type.Object({
        side: Type.Optional(oneOf(['primary', 'own'])),
        content: Type.Optional(Type.Unknown()),
      }),
    ),
  },
  { title: 'MergeConflict' },
)
export type MergeConflict = Static<typeof MergeConflict>

/** Conflicts as the API shows them, with one query for all who resolved one. */
export async function toMergeConflicts(
  at: Addresses,
  db: Reader,
  seen: Parameters<typeof usersIn>[2],
  rows: Row<'mergeConflict'>[],
): Promise<MergeConflict[]> {
  const userOf = await usersIn(
    at,
    db,
    seen,
    rows.flatMap(({ resolvedBy }) => resolvedBy ?? []),
  )

  return rows.map((row) => {
    const { object, id, title, kind, field, name, base, primary, own } = conflictOf(row)
    const { status, createdAt, resolvedAt, resolvedBy, resolution } = row
    return {
      object: 'merge-conflict',
      id: row.id,
      status,
      kind,
      target: { object, id: object === 'space' ? row.spaceId : id, ...(title ? { title } : {}) },
      ...present({ field, name }),
      base,
      primary,
      own,
      createdAt,
      ...present({ resolvedAt, resolvedBy: resolvedBy === null ? undefined : userOf.get(resolvedBy) }),
      ...(resolution === null ? {} : { resolution: JSON.parse(resolution) as Choice }),
    }
  })
}

/** The conflict that a row keeps. */
export function conflictOf({ data }: Pick<Row<'mergeConflict'>, 'data'>): Conflict {
  return JSON.parse(data) as Conflict
}

/** How many conflicts keep a change request from merging. */
export async function countOpenConflicts(db: Reader, changeRequestId: string): Promise<number> {
  const { count } = await openConflicts(db, changeRequestId)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The conflicts of a change request that are open, by the id of their row. */
export async function openConflictsOf(db: Reader, changeRequestId: string): Promise<Map<string, Conflict>> {
  const rows = await openConflicts(db, changeRequestId).selectAll().orderBy('id').execute()
  return new Map(rows.map((row) => [row.id, conflictOf(row)]))
}

/** Closes a conflict, settled so. */
export async function closeConflict(
  tx: Tx,
  id: string,
  choice: Choice,
  { userId, now }: { userId: string; now: Date },
): Promise<Row<'mergeConflict'>> {
  return tx
    .updateTable('mergeConflict')
    .set({
      status: 'resolved',
      resolution: JSON.stringify(choice),
      resolvedAt: now.toISOString(),
      resolvedBy: userId,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

function openConflicts(db: Reader, changeRequestId: string) {
  return db
    .selectFrom('mergeConflict')
    .where('changeRequestId', '=', changeRequestId)
    .where('status', '=', 'open')
}

const ROWS = 100

/** Opens the conflicts that a change request got. One that is open still goes on as the same, from what both had first. */
export async function recordConflicts(
  tx: Tx,
  { id: changeRequestId, spaceId }: Pick<Row<'changeRequest'>, 'id' | 'spaceId'>,
  conflicts: readonly Conflict[],
  now: Date,
  newId: () => string,
): Promise<void> {
  if (conflicts.length === 0) return
  const open = await openConflicts(tx, changeRequestId).selectAll().orderBy('id').execute()
  const waiting = new Map(open.map((row) => [row.id, conflictOf(row)]))
  const fresh: Row<'mergeConflict'>[] = []

  for (const conflict of conflicts) {
    const earlier = [...waiting].find(([, one]) => continues(conflict, one))
    if (earlier) {
      const [id, { base }] = earlier
      waiting.delete(id)
      const data = JSON.stringify({ ...conflict, base })
      await tx.updateTable('mergeConflict').set({ key: conflict.key, data }).where('id', '=', id).execute()
      continue
    }
    fresh.push({
      id: newId(),
      spaceId,
      changeRequestId,
      key: conflict.key,
      data: JSON.stringify(conflict),
      status: 'open',
      resolution: null,
      createdAt: now.toISOString(),
      resolvedAt: null,
      resolvedBy: null,
    })
  }
  for (let start = 0; start < fresh.length; start += ROWS) {
    await tx
      .insertInto('mergeConflict')
      .values(fresh.slice(start, start + ROWS))
      .execute()
  }
}

/** Tells the other open conflicts of a source what stands around them once one of them is settled in it. */
export async function followPlaces(
  tx: Tx,
  changeRequestId: string,
  { object, id, key }: Conflict,
  source: { before: string; after: string },
): Promise<void> {
  if (source.before === source.after) return
  for (const row of await openConflicts(tx, changeRequestId).selectAll().orderBy('id').execute()) {
    const other = conflictOf(row)
    if (other.object !== object || other.id !== id || other.key === key) continue
    const { place } = other
    if (!place || place.key !== undefined) continue
    const next = followed(place, other.own as string | null, source.before, source.after)
    if (!next || (next.before === place.before && next.after === place.after)) continue
    const data = JSON.stringify({ ...other, place: next })
    await tx.updateTable('mergeConflict').set({ data }).where('id', '=', row.id).execute()
  }
}

/** A block has no name of its own: it is the same one where what the primary content had of it is now the base. */
function continues(conflict: Conflict, earlier: Conflict): boolean {
  if (conflict.key === earlier.key) return true
  const isSameBody = conflict.kind === 'body' && earlier.kind === 'body' && conflict.id === earlier.id
  return (
    isSameBody &&
    conflict.object === earlier.object &&
    conflict.base !== null &&
    conflict.base === earlier.primary
  )
}

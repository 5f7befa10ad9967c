import { type Static, Type } from 'typebox'
import type { BodyPlace, Choice, Conflict } from '../../core/content/merge/model.ts'
import { giveTurn } from '../../core/turns.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { oneOf, omitNullish, Timestamp } from '../common.ts'
import { User, usersIn } from '../people/user.ts'

const Value = (description: string) => Type.Unknown({ description })

/** What a conflict is about. */
export const ConflictSubject = Type.Object({
  kind: oneOf(['body', 'field', 'existence', 'place'], {
    description:
      '`body`: a block of a body. `field`: a field. `existence`: one side deleted what the other changed. `place`: both sides moved the page to different places.',
  }),
  target: Type.Object({
    object: oneOf(['page', 'file', 'reusable-content', 'space']),
    id: Type.String(),
    title: Type.Optional(Type.String()),
  }),
  field: Type.Optional(Type.String({ description: 'The name of the field, for the kind `field`' })),
  entry: Type.Optional(
    Type.String({
      description: 'For the kind `body`: the key of the front matter. It is absent for a block',
    }),
  ),
  name: Type.Optional(
    Type.String({
      description: 'The name of the variable or redirect, for the fields `variables` and `redirects`',
    }),
  ),
})

/** A conflict between a change request and the primary content. */
export const MergeConflict = Type.Object(
  {
    object: oneOf(['merge-conflict']),
    id: Type.String(),
    status: oneOf(['open', 'resolved']),
    ...ConflictSubject.properties,
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

/** Conflicts as the API returns them. Their users are loaded by one query. */
export async function toMergeConflicts(
  urls: Urls,
  db: Reader,
  seen: Parameters<typeof usersIn>[2],
  rows: Row<'mergeConflict'>[],
): Promise<MergeConflict[]> {
  const userOf = await usersIn(
    urls,
    db,
    seen,
    rows.flatMap(({ resolvedBy }) => resolvedBy ?? []),
  )

  return rows.map((row) => {
    const conflict = parseConflict(row)
    const { base, primary, own } = conflict
    const { status, createdAt, resolvedAt, resolvedBy, resolution } = row
    return {
      object: 'merge-conflict',
      id: row.id,
      status,
      ...subjectOf(conflict, row.spaceId),
      base,
      primary,
      own,
      createdAt,
      ...omitNullish({ resolvedAt, resolvedBy: resolvedBy === null ? undefined : userOf.get(resolvedBy) }),
      ...(resolution === null ? {} : { resolution: JSON.parse(resolution) as Choice }),
    }
  })
}

/** What a conflict of a space is about, as the API returns it. */
export function subjectOf(
  { object, id, title, kind, field, name, place }: Conflict,
  spaceId: string,
): Static<typeof ConflictSubject> {
  return {
    kind,
    target: { object, id: object === 'space' ? spaceId : id, ...(title ? { title } : {}) },
    ...omitNullish({ field, entry: place?.key, name }),
  }
}

/** Parses the conflict of a row. */
export function parseConflict({ data }: Pick<Row<'mergeConflict'>, 'data'>): Conflict {
  return JSON.parse(data) as Conflict
}

/** The number of open conflicts of a change request. */
export async function countOpenConflicts(db: Reader, changeRequestId: string): Promise<number> {
  const { count } = await openConflicts(db, changeRequestId)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The open conflicts of a change request, by row id. */
export async function openConflictsOf(db: Reader, changeRequestId: string): Promise<Map<string, Conflict>> {
  const rows = await openConflicts(db, changeRequestId).selectAll().orderBy('id').execute()
  return new Map(rows.map((row) => [row.id, parseConflict(row)]))
}

/** Marks a conflict as resolved. */
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

/** A query for the open conflicts of a change request. */
export function openConflicts(db: Reader, changeRequestId: string) {
  return db
    .selectFrom('mergeConflict')
    .where('changeRequestId', '=', changeRequestId)
    .where('status', '=', 'open')
}

/** Stores new conflicts. A conflict that is still open keeps its id and its first base. */
export async function recordConflicts(
  tx: Tx,
  { id: changeRequestId, spaceId }: Pick<Row<'changeRequest'>, 'id' | 'spaceId'>,
  conflicts: readonly Conflict[],
  now: Date,
  newId: () => string,
): Promise<void> {
  if (conflicts.length === 0) return
  const waiting = await openConflictsOf(tx, changeRequestId)
  const fresh: Row<'mergeConflict'>[] = []

  for (const conflict of conflicts) {
    await giveTurn()
    const earlier = waiting.entries().find(([, one]) => continues(conflict, one))
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
  for (const some of chunks(fresh)) await tx.insertInto('mergeConflict').values(some).execute()
}

/** Updates the places of open conflicts whose sources were edited elsewhere, by row id. */
export async function moveConflicts(
  tx: Tx,
  open: ReadonlyMap<string, Conflict>,
  places: ReadonlyMap<string, BodyPlace>,
): Promise<void> {
  for (const [id, place] of places) {
    const data = JSON.stringify({ ...open.get(id), place })
    await tx.updateTable('mergeConflict').set({ data }).where('id', '=', id).execute()
  }
}

/** Blocks have no ids: a conflict is about the same block if its base is the primary side of the earlier conflict. */
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

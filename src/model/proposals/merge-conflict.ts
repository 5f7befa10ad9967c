import { type Static, Type } from 'typebox'
import type { BodyPlace, Choice, Conflict, StandingConflict } from '../../core/content/merge/model.ts'
import { settledText } from '../../core/content/merge/reopen.ts'
import { giveTurn } from '../../core/runtime/turns.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { oneOf, omitNullish, Timestamp } from '../common.ts'
import { User, usersIn } from '../people/user.ts'
import { ancestorOf, isClosed } from './change-request.ts'

const Value = (description: string) => Type.Unknown({ description })

/** The subject of a conflict. */
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
    reopenable: Type.Optional(
      Type.Boolean({
        description:
          'Only on a resolved conflict: whether it can be reopened. It cannot after an update from the primary content, or once the change request is merged or archived',
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
  changeRequest: Row<'changeRequest'>,
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
      ...(resolution === null
        ? {}
        : { resolution: JSON.parse(resolution) as Choice, reopenable: isReopenable(changeRequest, row) }),
    }
  })
}

/** Returns the subject of a conflict of a space, as the API shows it. */
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

/** The open conflicts of a change request and those that can be reopened, by row id. */
export async function standingConflictsOf(
  db: Reader,
  changeRequest: Row<'changeRequest'>,
): Promise<Map<string, StandingConflict>> {
  const rows = await db
    .selectFrom('mergeConflict')
    .selectAll()
    .where('changeRequestId', '=', changeRequest.id)
    .where((eb) => eb.or([eb('status', '=', 'open'), eb('resolvedOn', '=', ancestorOf(changeRequest))]))
    .orderBy('id')
    .execute()
  return new Map(
    rows.map((row) => {
      const found = parseConflict(row)
      return [row.id, { found, text: settledText(found, parseChoice(row)) }]
    }),
  )
}

/** Whether the resolution of a conflict can be undone: a user chose it after the last update of the change request. */
export function isReopenable(
  changeRequest: Row<'changeRequest'>,
  { status, resolvedOn }: Pick<Row<'mergeConflict'>, 'status' | 'resolvedOn'>,
): boolean {
  return status === 'resolved' && !isClosed(changeRequest) && resolvedOn === ancestorOf(changeRequest)
}

/** Parses the resolution of a row. An open conflict keeps its own side. */
export function parseChoice({ resolution }: Pick<Row<'mergeConflict'>, 'resolution'>): Choice {
  return resolution === null ? { side: 'own' } : (JSON.parse(resolution) as Choice)
}

/** Marks a conflict as open again. */
export async function reopenConflict(tx: Tx, id: string): Promise<Row<'mergeConflict'>> {
  return tx
    .updateTable('mergeConflict')
    .set({ status: 'open', resolution: null, resolvedAt: null, resolvedBy: null, resolvedOn: null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Marks a conflict as resolved.
 * @param resolvedOn the primary revision of the last update if a user resolves it
 */
export async function closeConflict(
  tx: Tx,
  id: string,
  choice: Choice,
  { userId, now }: { userId: string; now: Date },
  resolvedOn: string | null,
): Promise<Row<'mergeConflict'>> {
  return tx
    .updateTable('mergeConflict')
    .set({
      status: 'resolved',
      resolution: JSON.stringify(choice),
      resolvedAt: now.toISOString(),
      resolvedBy: userId,
      resolvedOn,
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
      resolvedOn: null,
    })
  }
  for (const some of chunks(fresh)) await tx.insertInto('mergeConflict').values(some).execute()
}

/** Updates the places of conflicts whose sources were edited elsewhere, by row id. */
export async function moveConflicts(
  tx: Tx,
  standing: ReadonlyMap<string, StandingConflict>,
  places: ReadonlyMap<string, BodyPlace>,
): Promise<void> {
  for (const [id, place] of places) {
    const { found, text } = standing.get(id)!
    // The number of occurrences is that of the own text.
    const kept = text === found.own ? place : { ...place, times: found.place?.times }
    const data = JSON.stringify({ ...found, place: kept })
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

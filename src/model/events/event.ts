import type { Reader, Row, Tx } from '../../db/schema.ts'

/** The subject of an event. */
export type SpaceEventKind =
  | 'content'
  | 'change-request'
  | 'merge'
  | 'comment'
  | 'reply'
  | 'review'
  | 'review-request'

/** An event to add. `data` has ids and states and no content, because every reader of the space may see it. */
export interface NewSpaceEvent {
  kind: SpaceEventKind
  /** Absent if the event concerns the space itself. */
  changeRequestId?: string | undefined
  data: object
}

export type SpaceEventRow = Pick<Row<'spaceEvent'>, 'sequence' | 'changeRequestId' | 'kind' | 'data'>

/** A space has at most about so many events. */
const MOST_EVENTS = 10_000
/** Each time that so many are added, the oldest beyond the limit are deleted. */
const TRIM_EVERY = 500
/** How long events are kept. */
const KEPT_MS = 24 * 3_600_000
const DELETED_AT_ONCE = 2_000

/**
 * Adds events to a space in the transaction of the change. They are numbered by a row of the space, which the transaction
 * holds until it ends, so that an event never appears after one with a greater number.
 */
export async function appendSpaceEvents(
  tx: Tx,
  spaceId: string,
  events: readonly NewSpaceEvent[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return
  const { sequence: last } = await tx
    .insertInto('eventLine')
    .values({ spaceId, sequence: events.length })
    .onConflict((conflict) =>
      conflict
        .column('spaceId')
        .doUpdateSet((eb) => ({ sequence: eb('eventLine.sequence', '+', events.length) })),
    )
    .returning('sequence')
    .executeTakeFirstOrThrow()
  const before = last - events.length
  const rows = events.map(({ kind, changeRequestId = null, data }, i) => ({
    spaceId,
    sequence: before + i + 1,
    changeRequestId,
    kind,
    data: JSON.stringify(data),
    occurredAt: now.toISOString(),
  }))
  await tx.insertInto('spaceEvent').values(rows).execute()

  if (Math.floor(last / TRIM_EVERY) === Math.floor(before / TRIM_EVERY)) return
  await tx
    .deleteFrom('spaceEvent')
    .where('spaceId', '=', spaceId)
    .where('sequence', '<=', last - MOST_EVENTS)
    .execute()
}

/** The number of the newest event of each of these spaces; spaces without events are absent. */
export async function newestSpaceEvents(db: Reader, spaceIds: readonly string[]) {
  return db.selectFrom('eventLine').selectAll().where('spaceId', 'in', spaceIds).execute()
}

/** The number of the newest event of a space; 0 if there was none. */
export async function newestSpaceEvent(db: Reader, spaceId: string): Promise<number> {
  const [line] = await newestSpaceEvents(db, [spaceId])
  return line?.sequence ?? 0
}

/** The events of a space after one, oldest first. The numbers have no gaps unless the oldest are deleted. */
export async function spaceEventsAfter(
  db: Reader,
  spaceId: string,
  sequence: number,
  limit: number,
): Promise<SpaceEventRow[]> {
  return db
    .selectFrom('spaceEvent')
    .select(['sequence', 'changeRequestId', 'kind', 'data'])
    .where('spaceId', '=', spaceId)
    .where('sequence', '>', sequence)
    .orderBy('sequence')
    .limit(limit)
    .execute()
}

/** Deletes some of the events that are older than a day. @returns whether there may be more */
export async function deleteOldSpaceEvents(tx: Tx, now: Date): Promise<boolean> {
  const oldest = new Date(now.getTime() - KEPT_MS).toISOString()
  const old = await tx
    .selectFrom('spaceEvent')
    .select(['spaceId', 'sequence'])
    .where('occurredAt', '<', oldest)
    .orderBy('occurredAt')
    .limit(DELETED_AT_ONCE)
    .execute()
  // The greatest of each space: numbers and times have the same order.
  const last = new Map(old.map(({ spaceId, sequence }) => [spaceId, sequence]))
  for (const [spaceId, sequence] of last)
    await tx
      .deleteFrom('spaceEvent')
      .where('spaceId', '=', spaceId)
      .where('sequence', '<=', sequence)
      .where('occurredAt', '<', oldest)
      .execute()
  return old.length === DELETED_AT_ONCE
}

import type { SelectQueryBuilder } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Reaching } from '../../access/roles/reached.ts'
import { visibleSpaces } from '../../access/roles/visible.ts'
import { chunks } from '../../db/chunks.ts'
import type { NotificationKind } from '../../db/event-tables.ts'
import type { Reader, Row, Schema, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { omitNullish, oneOf, Timestamp } from '../common.ts'
import { User, usersById } from '../people/user.ts'

const NOTIFICATION_KINDS = [
  'review-requested',
  'mention',
  'comment',
  'reply',
  'review',
  'merge',
  'sync-stopped',
  'sync-resumed',
] as const satisfies NotificationKind[]

/** A notification about an action of another user that concerns the caller. */
export const Notification = Type.Object(
  {
    object: oneOf(['notification']),
    id: Type.String(),
    kind: oneOf(NOTIFICATION_KINDS, {
      description:
        '`review-requested`: of the caller. `mention`: of the caller, in a comment or reply. `comment`: on a change request of the caller. `reply`: in a thread in which the caller wrote, or on a change request of the caller. `review`, `merge`: of a change request of the caller. `sync-stopped`, `sync-resumed`: the syncs of a space with its repository; `actor` is the user who connected it.',
    }),
    read: Type.Boolean(),
    createdAt: Timestamp,
    actor: User,
    space: Type.Object({ id: Type.String(), title: Type.String() }),
    changeRequest: Type.Optional(
      Type.Object({
        id: Type.String(),
        number: Type.Integer(),
        subject: Type.String(),
        status: oneOf(['draft', 'open', 'archived', 'merged']),
      }),
    ),
    comment: Type.Optional(Type.String()),
    reply: Type.Optional(Type.String()),
    review: Type.Optional(Type.String()),
    urls: Type.Object({ location: Type.String(), app: Type.String() }),
  },
  { title: 'Notification' },
)
export type Notification = Static<typeof Notification>

/** How long notifications are kept, and how many of them a user has. */
const KEPT_MS = 90 * 24 * 3_600_000
const MOST_KEPT = 1_000
const DELETED_AT_ONCE = 1_000

/** Adds notifications, without those to the actor. */
export async function insertNotifications(
  tx: Tx,
  rows: readonly Omit<Row<'notification'>, 'readAt'>[],
): Promise<void> {
  await insertRows(
    tx,
    rows.filter(({ userId, actorId }) => userId !== actorId),
  )
}

/** Notifies users of something in a space that the server has done, also the one in whose name it has. */
export async function notifyAll(
  tx: Tx,
  {
    newId,
    users,
    ...common
  }: { newId: () => string; users: readonly string[] } & Pick<
    Row<'notification'>,
    'kind' | 'actorId' | 'spaceId' | 'createdAt'
  >,
): Promise<void> {
  const about = { changeRequestId: null, commentId: null, replyId: null, reviewId: null }
  await insertRows(
    tx,
    users.map((userId) => ({ id: newId(), userId, ...common, ...about })),
  )
}

async function insertRows(tx: Tx, rows: readonly Omit<Row<'notification'>, 'readAt'>[]): Promise<void> {
  for (const some of chunks(rows))
    await tx
      .insertInto('notification')
      .values(some.map((row) => ({ ...row, readAt: null })))
      .execute()
}

/** The notifications of the caller in spaces that the caller can still see. */
export async function notificationsOf(db: Reader, me: Reaching) {
  const all = await db
    .selectFrom('notification')
    .select('spaceId')
    .distinct()
    .where('userId', '=', me.userId)
    .execute()
  const visible = await visibleSpaces(
    db,
    me,
    all.map(({ spaceId }) => spaceId),
  )
  // An id of nothing, because SQL has no empty list.
  const spaceIds = visible.size > 0 ? [...visible.keys()] : ['']
  return {
    spaceIds,
    query: db
      .selectFrom('notification')
      .where('notification.userId', '=', me.userId)
      .where('notification.spaceId', 'in', spaceIds),
  }
}

/** Notifications as the API returns them. Each related table is queried once for all of them. */
export async function toNotifications(
  urls: Urls,
  db: Reader,
  rows: readonly Row<'notification'>[],
): Promise<Notification[]> {
  if (rows.length === 0) return []
  const actors = await usersById(
    urls,
    db,
    rows.map(({ actorId }) => actorId),
    false,
  )
  const spaces = await db
    .selectFrom('space')
    .select(['id', 'title'])
    .where('id', 'in', [...new Set(rows.map(({ spaceId }) => spaceId))])
    .execute()
  const proposed = [...new Set(rows.flatMap(({ changeRequestId }) => changeRequestId ?? []))]
  const changeRequests =
    proposed.length === 0
      ? []
      : await db
          .selectFrom('changeRequest')
          .select(['id', 'number', 'subject', 'status'])
          .where('id', 'in', proposed)
          .execute()
  const titles = new Map(spaces.map(({ id, title }) => [id, title]))
  const proposals = new Map(changeRequests.map((one) => [one.id, one]))

  return rows.map((row) => {
    const changeRequest = row.changeRequestId === null ? undefined : proposals.get(row.changeRequestId)
    const at = changeRequest ? `/~/changes/${changeRequest.number}` : screenIn(row)
    return {
      object: 'notification',
      id: row.id,
      kind: row.kind,
      read: row.readAt !== null,
      createdAt: row.createdAt,
      actor: actors.get(row.actorId)!,
      space: { id: row.spaceId, title: titles.get(row.spaceId) ?? '' },
      ...omitNullish({ changeRequest, comment: row.commentId, reply: row.replyId, review: row.reviewId }),
      urls: {
        location: urls.api(`/user/notifications/${row.id}`),
        app: urls.app(`/s/${row.spaceId}${at}`),
      },
    }
  })
}

/** The screen of a space that a notification without a change request is about. */
function screenIn({ kind, commentId }: Row<'notification'>): string {
  if (kind === 'sync-stopped' || kind === 'sync-resumed') return '/~/sync'
  return commentId ? '/~/comments' : ''
}

/**
 * Deletes some of the notifications that are older than 90 days, and of those beyond 1,000 of a user.
 * @returns whether there may be more
 */
export async function deleteOldNotifications(tx: Tx, now: Date): Promise<boolean> {
  const old = tx
    .selectFrom('notification')
    .select('id')
    .where('createdAt', '<', new Date(now.getTime() - KEPT_MS).toISOString())
    .orderBy('createdAt')
    .limit(DELETED_AT_ONCE)
  const deleted = await deleteThese(tx, old)
  const full = await tx
    .selectFrom('notification')
    .select('userId')
    .groupBy('userId')
    .having((eb) => eb(eb.fn.countAll(), '>', MOST_KEPT))
    .limit(1)
    .executeTakeFirst()
  if (!full) return deleted > 0n

  const oldestKept = await tx
    .selectFrom('notification')
    .select('id')
    .where('userId', '=', full.userId)
    .orderBy('id', 'desc')
    .offset(MOST_KEPT - 1)
    .limit(1)
    .executeTakeFirstOrThrow()
  const beyond = tx
    .selectFrom('notification')
    .select('id')
    .where('userId', '=', full.userId)
    .where('id', '<', oldestKept.id)
    .orderBy('id')
    .limit(DELETED_AT_ONCE)
  await deleteThese(tx, beyond)
  return true
}

async function deleteThese(
  tx: Tx,
  ids: SelectQueryBuilder<Schema, 'notification', { id: string }>,
): Promise<bigint> {
  const { numDeletedRows } = await tx
    .deleteFrom('notification')
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  return numDeletedRows
}

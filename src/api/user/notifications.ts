import { Type } from 'typebox'
import { onSelf } from '../../access/checks/on.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { notFound, unknownId } from '../../http/errors.ts'
import { countRows, listOf, ListQuery, listRows } from '../../http/pagination.ts'
import { type Caller, route } from '../../http/route.ts'
import { Id } from '../../model/common.ts'
import { Notification, notificationsOf, toNotifications } from '../../model/events/notification.ts'

const WithNotification = Type.Object({ notificationId: Id })

export const listNotifications = route({
  method: 'GET',
  path: '/v1/user/notifications',
  summary: 'List the notifications of the caller, newest first',
  description:
    'Notifications in spaces that the caller can no longer see are left out. They are kept for 90 days, and the newest 1,000 of a user.',
  access: onSelf(),
  query: Type.Object({
    ...ListQuery.properties,
    unread: Type.Optional(
      Type.Boolean({ description: 'Return only those that are unread, or only the others' }),
    ),
  }),
  returns: Type.Object({
    ...listOf(Notification).properties,
    unread: Type.Integer({ description: 'The number of unread notifications' }),
  }),
  async handler({ db, me, urls, query, page }) {
    const { query: all } = await notificationsOf(db, me)
    const filtered = all
      .selectAll()
      .$if(query.unread !== undefined, (some) => some.where('readAt', query.unread ? 'is' : 'is not', null))
    const list = await listRows(filtered, page, { by: ['id'], order: 'desc' })
    const unread = await countRows(all.selectAll().where('readAt', 'is', null))
    return { ...list, items: await toNotifications(urls, db, list.items), unread }
  },
})

export const getNotificationById = route({
  method: 'GET',
  path: '/v1/user/notifications/:notificationId',
  summary: 'Get a notification of the caller',
  access: onSelf(),
  params: WithNotification,
  returns: Notification,
  async handler({ db, me, urls, params }) {
    const [shown] = await toNotifications(urls, db, [await needNotification(db, me, params.notificationId)])
    return shown!
  },
})

export const updateNotificationById = route({
  method: 'PATCH',
  path: '/v1/user/notifications/:notificationId',
  summary: 'Mark a notification of the caller as read or unread',
  access: onSelf(),
  audit: false,
  params: WithNotification,
  body: Type.Object({ read: Type.Optional(Type.Boolean()) }),
  returns: Notification,
  async handler({ tx, me, urls, params, body: { read }, now }) {
    const row = await needNotification(tx, me, params.notificationId)
    const readAt = read === undefined ? row.readAt : read ? (row.readAt ?? now.toISOString()) : null
    if (readAt !== row.readAt)
      await tx.updateTable('notification').set({ readAt }).where('id', '=', row.id).execute()
    const [shown] = await toNotifications(urls, tx, [{ ...row, readAt }])
    return shown!
  },
})

export const updateNotifications = route({
  method: 'PATCH',
  path: '/v1/user/notifications',
  summary: 'Mark all notifications of the caller as read or unread',
  description:
    'With `until`, the id of a notification, those that are newer stay as they are: send the newest one that was shown.',
  access: onSelf(),
  audit: false,
  body: Type.Object({ read: Type.Optional(Type.Boolean()), until: Type.Optional(Id) }),
  returns: Type.Object({ changed: Type.Integer({ description: 'How many notifications have changed' }) }),
  async handler({ tx, me, body: { read, until }, now }) {
    const newest = until === undefined ? undefined : await needNotification(tx, me, until, 'body.until')
    if (read === undefined) return { changed: 0 }
    const { spaceIds } = await notificationsOf(tx, me)
    const { numUpdatedRows } = await tx
      .updateTable('notification')
      .set({ readAt: read ? now.toISOString() : null })
      .where('userId', '=', me.userId)
      .where('spaceId', 'in', spaceIds)
      .where('readAt', read ? 'is' : 'is not', null)
      .$if(newest !== undefined, (some) => some.where('id', '<=', newest!.id))
      .executeTakeFirstOrThrow()
    return { changed: Number(numUpdatedRows) }
  },
})

/** @param field the path of the id, if it is in the body @throws 404; 400 for an id in the body */
async function needNotification(
  db: Reader,
  me: Caller,
  id: string,
  field?: string,
): Promise<Row<'notification'>> {
  const { query } = await notificationsOf(db, me)
  const row = await query.selectAll().where('notification.id', '=', id).executeTakeFirst()
  if (row) return row
  throw field === undefined ? notFound('notification') : unknownId(field, id, 'a notification of yours')
}

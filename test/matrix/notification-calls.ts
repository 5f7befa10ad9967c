/** Requests for the notifications of the caller, and their settings. */
import { randomText } from '../../src/core/data/id.ts'
import type { Person, World } from '../world.ts'
import { type Caller, type Make, none, withBody } from './makers.ts'
import type { Things } from './things.ts'

/** Creates notifications of spaces that an administrator sees. */
export function notificationsIn({ db }: World, admin: Person, space: () => Promise<string>) {
  return {
    async notification(userId: string): Promise<string> {
      const [id, spaceId] = [randomText(22), await space()]
      const about = { changeRequestId: null, commentId: null, replyId: null, reviewId: null, readAt: null }
      const made = { kind: 'mention', actorId: admin.id, createdAt: new Date().toISOString() } as const
      await db.write((tx) =>
        tx
          .insertInto('notification')
          .values({ id, userId, spaceId, ...made, ...about })
          .execute(),
      )
      return id
    },
  }
}

/** Whoever may write does so as the administrator: others may not see the space, and their notification is then hidden. */
async function ofCaller(t: Things, { person, writes }: Caller) {
  const as = writes ? t.admin : person
  return { as, notificationId: await t.notification(as.id || t.admin.id) }
}

const one =
  (body?: unknown): Make =>
  async (t, caller) => {
    const { as, notificationId } = await ofCaller(t, caller)
    return { params: { notificationId }, body, as }
  }

export const NOTIFICATION_CALLS: Record<string, Make | Make[]> = {
  listNotifications: none,
  getNotificationById: one(),
  updateNotificationById: one({ read: true }),
  updateNotifications: async (t, caller) => {
    const { as, notificationId } = await ofCaller(t, caller)
    return { body: { read: true, until: notificationId }, as }
  },
  getNotificationSettings: none,
  updateNotificationSettings: withBody(none, { digest: 'daily' }),
}

import { Type } from 'typebox'
import { onAccount, onSelf } from '../../access/checks/on.ts'
import { route } from '../../http/route.ts'
import { oneOf } from '../../model/common.ts'
import { changeDigest, digestOf, DIGESTS } from '../../model/events/digest.ts'

const digest = oneOf(DIGESTS, {
  description:
    'Whether the caller gets an e-mail each day with the unread notifications that are new; no e-mail is sent if there are none, or if the server has no mail server',
})
const NotificationSettings = Type.Object({ digest }, { title: 'NotificationSettings' })

export const getNotificationSettings = route({
  method: 'GET',
  path: '/v1/user/notification-settings',
  summary: 'Get the notification settings of the caller',
  access: onSelf(),
  returns: NotificationSettings,
  async handler({ db, me }) {
    return { digest: await digestOf(db, me.userId) }
  },
})

export const updateNotificationSettings = route({
  method: 'PATCH',
  path: '/v1/user/notification-settings',
  summary: 'Update the notification settings of the caller',
  access: onAccount(),
  body: Type.Object({ digest: Type.Optional(digest) }),
  returns: NotificationSettings,
  async handler({ tx, me, body, now, audit }) {
    const before = await digestOf(tx, me.userId)
    if (body.digest !== undefined && body.digest !== before)
      await changeDigest(tx, me.userId, body.digest, now)
    const after = body.digest ?? before
    audit({ target: { type: 'user', id: me.userId }, before: { digest: before }, after: { digest: after } })
    return { digest: after }
  },
})

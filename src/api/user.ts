import { onSelf } from '../access/on.ts'
import { route } from '../http/route.ts'
import { toUser, User } from '../model/user.ts'

export const getAuthenticatedUser = route({
  method: 'GET',
  path: '/v1/user',
  summary: 'The user whose token it is',
  access: onSelf(),
  returns: User,
  async handler({ db, me, at }) {
    const row = await db.selectFrom('user').selectAll().where('id', '=', me.userId).executeTakeFirstOrThrow()
    return toUser(at, row)
  },
})

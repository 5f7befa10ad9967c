import { onSelf } from '../access/on.ts'
import { route } from '../http/route.ts'
import { toUser, User } from '../model/people/user.ts'

export const getAuthenticatedUser = route({
  method: 'GET',
  path: '/v1/user',
  summary: 'Get the caller',
  access: onSelf(),
  returns: User,
  async handler({ db, me, urls }) {
    const row = await db.selectFrom('user').selectAll().where('id', '=', me.userId).executeTakeFirstOrThrow()
    return toUser(urls, row)
  },
})

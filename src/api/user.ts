import { Type } from 'typebox'
import { onSelf } from '../access/on.ts'
import { route } from '../http/route.ts'
import { OwnUser, toOwnUser } from '../model/people/user.ts'

const Caller = Type.Object(
  {
    ...OwnUser.properties,
    permissions: Type.Object({ createOrganization: Type.Boolean() }),
  },
  { title: 'AuthenticatedUser' },
)

export const getAuthenticatedUser = route({
  method: 'GET',
  path: '/v1/user',
  summary: 'Get the caller',
  description: 'Only the user sees `language` and `timeZone`. `PATCH /v1/users/{userId}` changes them.',
  access: onSelf(),
  returns: Caller,
  async handler({ db, me, urls, limits }) {
    const row = await db.selectFrom('user').selectAll().where('id', '=', me.userId).executeTakeFirstOrThrow()
    const permissions = { createOrganization: limits.organizations !== 'one' }
    return { ...(await toOwnUser(urls, db, row)), permissions }
  },
})

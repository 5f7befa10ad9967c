import { Type } from 'typebox'
import { onUser } from '../access/on-people.ts'
import { route } from '../http/route.ts'
import { Id, nullable, titleOf, WebUri, withUpdatedAt } from '../model/common.ts'
import { toUser, User } from '../model/people/user.ts'

const OfUser = Type.Object({ userId: Id })

export const getUserById = route({
  method: 'GET',
  path: '/v1/users/:userId',
  summary: 'Get a user who shares an organization with the caller',
  description: 'Guests see no e-mail address but their own.',
  access: onUser('member'),
  params: OfUser,
  returns: User,
  async handler({ urls, user, addressShown }) {
    return toUser(urls, user, addressShown)
  },
})

export const updateUserById = route({
  method: 'PATCH',
  path: '/v1/users/:userId',
  summary: 'Update the profile of a user',
  description: 'Users can update only themselves. Fields that are not sent keep their values.',
  access: onUser('self'),
  params: OfUser,
  body: Type.Object({
    displayName: Type.Optional(titleOf(64)),
    photoURL: Type.Optional(nullable(WebUri)),
  }),
  returns: User,
  async handler({ tx, urls, user, body, now }) {
    const updated = await tx
      .updateTable('user')
      .set(withUpdatedAt(user, { displayName: body.displayName, photoUrl: body.photoURL }, now))
      .where('id', '=', user.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toUser(urls, updated)
  },
})

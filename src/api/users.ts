import { Type } from 'typebox'
import { onUser } from '../access/on-people.ts'
import { route } from '../http/route.ts'
import { Id, nullable, titleOf, WebUri } from '../model/common.ts'
import { toUser, User } from '../model/user.ts'

const OfUser = Type.Object({ userId: Id })

export const getUserById = route({
  method: 'GET',
  path: '/v1/users/:userId',
  summary: 'A user with whom the caller shares an organization',
  description: 'Guests are told nobody’s address but their own.',
  access: onUser('member'),
  params: OfUser,
  returns: User,
  async handler({ at, user, addressShown }) {
    return toUser(at, user, addressShown)
  },
})

export const updateUserById = route({
  method: 'PATCH',
  path: '/v1/users/:userId',
  summary: 'Change how one is shown to others',
  description: 'Everyone changes themselves and nobody else.',
  access: onUser('self'),
  params: OfUser,
  body: Type.Object({
    displayName: Type.Optional(titleOf(64)),
    photoURL: Type.Optional(nullable(WebUri)),
  }),
  returns: User,
  async handler({ tx, at, user, body, now }) {
    const updated = await tx
      .updateTable('user')
      .set({
        ...(body.displayName !== undefined && { displayName: body.displayName }),
        ...(body.photoURL !== undefined && { photoUrl: body.photoURL }),
        updatedAt: now.toISOString(),
      })
      .where('id', '=', user.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toUser(at, updated)
  },
})

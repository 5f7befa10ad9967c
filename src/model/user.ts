import { type Static, Type } from 'typebox'
import type { Row } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import { oneOf, present } from './common.ts'

/** A person (management-api, Embedded shapes). */
export const User = Type.Object(
  {
    object: oneOf(['user']),
    id: Type.String(),
    displayName: Type.String(),
    email: Type.Optional(Type.String()),
    photoURL: Type.Optional(Type.String()),
    urls: Type.Object({ location: Type.String({ format: 'uri' }) }),
  },
  { title: 'User' },
)
export type User = Static<typeof User>

/** @param addressShown false where the viewer is a guest: nobody's address is told to guests */
export function toUser(
  at: Addresses,
  row: Pick<Row<'user'>, 'id' | 'displayName' | 'email' | 'photoUrl'>,
  addressShown = true,
): User {
  return {
    object: 'user',
    id: row.id,
    displayName: row.displayName,
    ...present({ email: addressShown ? row.email : null, photoURL: row.photoUrl }),
    urls: { location: at.api(`/users/${row.id}`) },
  }
}

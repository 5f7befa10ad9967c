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

export function toUser(at: Addresses, row: Row<'user'>): User {
  return {
    object: 'user',
    id: row.id,
    displayName: row.displayName,
    ...present({ email: row.email, photoURL: row.photoUrl }),
    urls: { location: at.api(`/users/${row.id}`) },
  }
}

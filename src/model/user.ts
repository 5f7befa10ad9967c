import { type Static, Type } from 'typebox'
import type { Reader, Role, Row } from '../db/schema.ts'
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

/**
 * Users by their ids, as somebody in an organization is shown them: guests are told no addresses, and nobody is told
 * that of a user who is not in the organization any more.
 */
export async function usersIn(
  at: Addresses,
  db: Reader,
  { space, organizationRole }: { space: Row<'space'>; organizationRole: Role | null },
  ids: string[],
): Promise<Map<string, User>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('user')
    .leftJoin('member', (join) =>
      join.onRef('member.userId', '=', 'user.id').on('member.organizationId', '=', space.organizationId),
    )
    .select(['user.id', 'user.displayName', 'user.email', 'user.photoUrl', 'member.userId as memberId'])
    .where('user.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(
    rows.map((row) => [row.id, toUser(at, row, organizationRole !== null && row.memberId !== null)]),
  )
}

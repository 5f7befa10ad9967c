import { type Static, Type } from 'typebox'
import type { Reader, Role, Row } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { oneOf, omitNullish } from '../common.ts'

/** A user, as other resources embed it. */
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

/** @param addressShown false if the viewer is a guest, because guests see no e-mail addresses */
export function toUser(
  urls: Urls,
  row: Pick<Row<'user'>, 'id' | 'displayName' | 'email' | 'photoUrl'>,
  addressShown = true,
): User {
  return {
    object: 'user',
    id: row.id,
    displayName: row.displayName,
    ...omitNullish({ email: addressShown ? row.email : null, photoURL: row.photoUrl }),
    urls: { location: urls.api(`/users/${row.id}`) },
  }
}

/** Users by their ids. @param addressShown false if the viewer is a guest */
export async function usersById(
  urls: Urls,
  db: Reader,
  ids: string[],
  addressShown: boolean,
): Promise<Map<string, User>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('user')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, toUser(urls, row, addressShown)]))
}

/**
 * Users by their ids, as a member of the organization sees them. Guests see no e-mail addresses. Nobody sees the address
 * of a user who left the organization.
 */
export async function usersIn(
  urls: Urls,
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
    rows.map((row) => [row.id, toUser(urls, row, organizationRole !== null && row.memberId !== null)]),
  )
}

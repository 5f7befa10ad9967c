/** The users whom pages of a site mention. Readers learn their names and pictures, and nothing else of them. */
import type { ContentRef } from '../../../../core/document/model.ts'
import { chunks } from '../../../../db/chunks.ts'
import type { Reader, Row } from '../../../../db/schema.ts'

/** A user whom readers of a site of the organization may know: a member of it. */
export function findMentionable(
  db: Reader,
  organizationId: string,
  userId: string,
): Promise<Row<'user'> | undefined> {
  return members(db, organizationId).selectAll('user').where('user.id', '=', userId).executeTakeFirst()
}

/** The names of the users whom references mention, by their ids. Only members have one. */
export async function namesOfMentioned(
  db: Reader,
  organizationId: string,
  refs: Iterable<ContentRef>,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set([...refs].flatMap((ref) => (ref.kind === 'user' ? [ref.user] : [])))
  const names = new Map<string, string>()
  for (const some of chunks([...ids])) {
    const rows = await members(db, organizationId)
      .select(['user.id', 'user.displayName'])
      .where('user.id', 'in', some)
      .execute()
    for (const { id, displayName } of rows) names.set(id, displayName)
  }
  return names
}

function members(db: Reader, organizationId: string) {
  return db
    .selectFrom('user')
    .innerJoin('member', 'member.userId', 'user.id')
    .where('member.organizationId', '=', organizationId)
}

import { type Static, Type } from 'typebox'
import type { Reader, Row } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import { ChangeRequest } from './change-request.ts'
import { oneOf, Timestamp, Uri } from './common.ts'
import { toUser, User } from './user.ts'

/** A revision without its content, as the history of a space has it. */
export const RevisionSummary = Type.Object(
  {
    object: oneOf(['revision']),
    id: Type.String(),
    type: oneOf(['edits', 'merge', 'rollback', 'update', 'computed']),
    parents: Type.Array(Type.String()),
    message: Type.String({ description: 'Why it was made; may be empty' }),
    createdBy: User,
    createdAt: Timestamp,
    mergedFrom: Type.Optional(ChangeRequest),
    urls: Type.Object({ app: Uri, location: Uri }),
  },
  { title: 'RevisionSummary' },
)
export type RevisionSummary = Static<typeof RevisionSummary>

/** What a revision says of itself. The maps of its content are not needed. */
type Summarized = Pick<
  Row<'revision'>,
  'id' | 'spaceId' | 'type' | 'parents' | 'message' | 'mergedFrom' | 'createdBy' | 'createdAt'
>

/** @param addressShown false where the viewer is a guest */
export async function toRevisionSummaries(
  at: Addresses,
  db: Reader,
  rows: Summarized[],
  addressShown: boolean,
): Promise<RevisionSummary[]> {
  if (rows.length === 0) return []
  const authors = await db
    .selectFrom('user')
    .selectAll()
    .where('id', 'in', [...new Set(rows.map(({ createdBy }) => createdBy))])
    .execute()
  const userOf = new Map(authors.map((user) => [user.id, toUser(at, user, addressShown)]))

  return rows.map((row) => ({
    object: 'revision',
    id: row.id,
    type: row.type,
    parents: JSON.parse(row.parents) as string[],
    message: row.message,
    createdBy: userOf.get(row.createdBy)!,
    createdAt: row.createdAt,
    ...mergedFromOf(row),
    urls: {
      app: at.app(`/s/${row.spaceId}/~/revisions/${row.id}`),
      location: at.api(`/spaces/${row.spaceId}/revisions/${row.id}`),
    },
  }))
}

/** The change request that a merge brought in, as it was then; of other revisions nothing. */
export function mergedFromOf({ mergedFrom }: Pick<Row<'revision'>, 'mergedFrom'>): {
  mergedFrom?: ChangeRequest
} {
  return mergedFrom === null ? {} : { mergedFrom: JSON.parse(mergedFrom) as ChangeRequest }
}

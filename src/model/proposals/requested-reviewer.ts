import { type Static, Type } from 'typebox'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { invalidFields, unknownIdFault } from '../../http/errors.ts'
import { oneOf, Timestamp } from '../common.ts'
import { membersWithRole } from '../access/permission.ts'
import { User, usersIn } from '../people/user.ts'

/** An open review request to a user. */
export const RequestedReviewer = Type.Object(
  {
    object: oneOf(['change-request-requested-reviewer']),
    revision: Type.String({ description: 'The revision for which the review was requested' }),
    requestedBy: User,
    createdAt: Timestamp,
    kind: oneOf(['user']),
    user: User,
  },
  { title: 'ChangeRequestRequestedReviewer' },
)
export type RequestedReviewer = Static<typeof RequestedReviewer>

/** Review requests in one space, as the API returns them. Their users are loaded by one query. */
export async function toRequestedReviewers(
  urls: Urls,
  db: Reader,
  viewing: { space: Row<'space'>; organizationRole: Role | null },
  rows: Row<'requestedReviewer'>[],
): Promise<RequestedReviewer[]> {
  const named = rows.flatMap(({ userId, requestedBy }) => [userId, requestedBy])
  const users = await usersIn(urls, db, viewing, named)
  return rows.map(({ revisionId, requestedBy, createdAt, userId }) => ({
    object: 'change-request-requested-reviewer',
    revision: revisionId,
    requestedBy: users.get(requestedBy)!,
    createdAt,
    kind: 'user',
    user: users.get(userId)!,
  }))
}

/**
 * Requests reviews of a change request from users. Existing review requests are kept.
 * @returns the review requests, in the order of `users`
 * @throws 400 if a user is not a member who can read the space
 */
export async function askForReviews(
  tx: Tx,
  { space, changeRequest }: { space: Row<'space'>; changeRequest: Row<'changeRequest'> },
  asked: { users: string[]; userId: string; now: Date },
): Promise<Row<'requestedReviewer'>[]> {
  const users = [...new Set(asked.users)]
  if (users.length === 0) return []
  await needReaders(tx, space, asked.users)

  await tx
    .insertInto('requestedReviewer')
    .values(
      users.map((userId) => ({
        spaceId: space.id,
        changeRequestId: changeRequest.id,
        userId,
        revisionId: changeRequest.revisionId,
        requestedBy: asked.userId,
        createdAt: asked.now.toISOString(),
      })),
    )
    .onConflict((conflict) => conflict.columns(['changeRequestId', 'userId']).doNothing())
    .execute()
  const rows = await tx
    .selectFrom('requestedReviewer')
    .selectAll()
    .where('changeRequestId', '=', changeRequest.id)
    .where('userId', 'in', users)
    .execute()
  const byUser = new Map(rows.map((row) => [row.userId, row]))
  return users.flatMap((userId) => byUser.get(userId) ?? [])
}

async function needReaders(tx: Tx, space: Row<'space'>, users: string[]): Promise<void> {
  const holders = await membersWithRole(tx, { ...space, kind: 'space' })
  const readers = new Set(holders.map(({ userId }) => userId))
  const faults = users.flatMap((user, i) =>
    readers.has(user) ? [] : [unknownIdFault(`body.users.${i}`, user, 'a member who can read this space')],
  )
  if (faults.length > 0) throw invalidFields(faults)
}

/**
 * Deletes a review request that is canceled or completed.
 * @returns the deleted request, if it existed
 */
export async function endRequest(
  tx: Tx,
  changeRequest: Row<'changeRequest'>,
  userId: string,
): Promise<Row<'requestedReviewer'> | undefined> {
  return tx
    .deleteFrom('requestedReviewer')
    .where('changeRequestId', '=', changeRequest.id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()
}

import { type Static, Type } from 'typebox'
import type { Reader, Role, Row, Tx } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import { invalid } from '../http/errors.ts'
import { oneOf, Timestamp } from './common.ts'
import { holdersOf } from './permission.ts'
import { User, usersIn } from './user.ts'

/** Somebody who was asked to review a change request, and has not done so yet (api-facts 4.3). */
export const RequestedReviewer = Type.Object(
  {
    object: oneOf(['change-request-requested-reviewer']),
    revision: Type.String({ description: 'The content when it was asked for' }),
    requestedBy: User,
    createdAt: Timestamp,
    kind: oneOf(['user']),
    user: User,
  },
  { title: 'ChangeRequestRequestedReviewer' },
)
export type RequestedReviewer = Static<typeof RequestedReviewer>

/** Requests of one space as the API shows them, with one query for all whom they name. */
export async function toRequestedReviewers(
  at: Addresses,
  db: Reader,
  viewing: { space: Row<'space'>; organizationRole: Role | null },
  rows: Row<'requestedReviewer'>[],
): Promise<RequestedReviewer[]> {
  const named = rows.flatMap(({ userId, requestedBy }) => [userId, requestedBy])
  const users = await usersIn(at, db, viewing, named)
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
 * Asks users to review a change request; whoever was asked already stays asked as they were.
 * @returns what they are asked, in the order they were named
 * @throws 400 if one of them is no member who can read the space
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
  const holders = await holdersOf(tx, { ...space, kind: 'space' })
  const readers = new Set(holders.map(({ userId }) => userId))
  const faults = users.flatMap((user, i) =>
    readers.has(user)
      ? []
      : [{ path: `body.users.${i}`, message: 'must be a member who can read this space' }],
  )
  if (faults.length > 0)
    throw invalid(faults.map(({ path, message }) => `${path} ${message}`).join('; '), faults)
}

/**
 * Takes a request for a review back, or marks it as answered: then it is gone.
 * @returns the request, if there was one
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

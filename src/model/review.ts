import { type ExpressionBuilder, type ExpressionWrapper, sql, type SqlBool } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Reader, Row, Schema } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import { oneOf, Timestamp } from './common.ts'
import { toUser, User } from './user.ts'

export const REVIEW_STATUSES = ['changes-requested', 'approved'] as const

/** What somebody says of a change request (api-facts 3). */
export const Review = Type.Object(
  {
    object: oneOf(['change-request-review']),
    id: Type.String(),
    revision: Type.String({ description: 'What was reviewed' }),
    reviewer: User,
    requestedBy: Type.Optional(User),
    status: oneOf(REVIEW_STATUSES),
    outdated: Type.Boolean({
      description: 'The content has changed since, the reviewer has said something newer, or was asked again',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'ChangeRequestReview' },
)
export type Review = Static<typeof Review>

/** A review, with whether it is outdated as 1 or 0. */
export type ReviewRow = Row<'review'> & { outdated: number }

type Reviews = ExpressionBuilder<Schema, 'review'>
type Reviewed = Pick<Row<'changeRequest'>, 'id' | 'revisionId'>

/** The reviews of a change request, to be narrowed and ordered. */
export function selectReviews(db: Reader, changeRequest: Reviewed) {
  return db
    .selectFrom('review')
    .where('review.changeRequestId', '=', changeRequest.id)
    .selectAll('review')
    .select((eb) =>
      eb
        .case()
        .when(isOutdated(eb, changeRequest))
        .then(sql<number>`1`)
        .else(sql<number>`0`)
        .end()
        .as('outdated'),
    )
}

/** The condition on `review` that it does not speak of the present content any more. */
export function isOutdated(eb: Reviews, { revisionId }: Reviewed) {
  const asked = eb
    .selectFrom('requestedReviewer')
    .select('requestedReviewer.userId')
    .whereRef('requestedReviewer.changeRequestId', '=', 'review.changeRequestId')
    .whereRef('requestedReviewer.userId', '=', 'review.reviewerId')
  return eb.or([eb('review.revisionId', '!=', revisionId), isSuperseded(eb), eb.exists(asked)])
}

/** The condition on `review` that its reviewer has written a newer one. */
export function isSuperseded(eb: Reviews): ExpressionWrapper<Schema, 'review', SqlBool> {
  const newer = eb
    .selectFrom('review as newer')
    .select('newer.id')
    .whereRef('newer.changeRequestId', '=', 'review.changeRequestId')
    .whereRef('newer.reviewerId', '=', 'review.reviewerId')
    .whereRef('newer.id', '>', 'review.id')
  return eb.exists(newer)
}

/** Reviews as the API shows them, with one query for all whom they name. */
export async function toReviews(
  at: Addresses,
  db: Reader,
  rows: ReviewRow[],
  addressShown: boolean,
): Promise<Review[]> {
  if (rows.length === 0) return []
  const named = rows.flatMap(({ reviewerId, requestedBy }) => [
    reviewerId,
    ...(requestedBy ? [requestedBy] : []),
  ])
  const users = await db
    .selectFrom('user')
    .selectAll()
    .where('id', 'in', [...new Set(named)])
    .execute()
  const userOf = new Map(users.map((user) => [user.id, toUser(at, user, addressShown)]))

  return rows.map((row) => {
    const requestedBy = row.requestedBy === null ? undefined : userOf.get(row.requestedBy)
    return {
      object: 'change-request-review',
      id: row.id,
      revision: row.revisionId,
      reviewer: userOf.get(row.reviewerId)!,
      ...(requestedBy && { requestedBy }),
      status: row.status,
      outdated: row.outdated === 1,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    }
  })
}

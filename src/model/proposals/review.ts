import { type ExpressionBuilder, type ExpressionWrapper, sql, type SqlBool } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Reader, Row, Schema } from '../../db/schema.ts'
import { notFound } from '../../http/errors.ts'
import { Comment, toComments, type Viewing } from '../discussion/comment.ts'
import { oneOf, Timestamp, Uri } from '../common.ts'
import { User, usersIn } from '../people/user.ts'

export const REVIEW_STATUSES = ['changes-requested', 'approved'] as const

/** A review of a change request. */
export const Review = Type.Object(
  {
    object: oneOf(['change-request-review']),
    id: Type.String(),
    revision: Type.String({ description: 'The revision that was reviewed' }),
    reviewer: User,
    requestedBy: Type.Optional(User),
    status: oneOf(REVIEW_STATUSES),
    outdated: Type.Boolean({
      description:
        'Whether the content has changed since, or the reviewer has reviewed again or been requested again',
    }),
    comment: Type.Optional(Comment),
    comments: Type.Integer({ description: 'The number of other comments that were sent with the review' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: Type.Object({ location: Uri }),
  },
  { title: 'ChangeRequestReview' },
)
export type Review = Static<typeof Review>

/** A review with `outdated` as 1 or 0. */
export type ReviewRow = Row<'review'> & { outdated: number }

type Reviews = ExpressionBuilder<Schema, 'review'>
type Reviewed = Pick<Row<'changeRequest'>, 'id' | 'revisionId'>

/** A query for the reviews of a change request. */
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

/** SQL condition: a review is of an earlier revision. */
export function isOutdated(eb: Reviews, { revisionId }: Reviewed) {
  const asked = eb
    .selectFrom('requestedReviewer')
    .select('requestedReviewer.userId')
    .whereRef('requestedReviewer.changeRequestId', '=', 'review.changeRequestId')
    .whereRef('requestedReviewer.userId', '=', 'review.reviewerId')
  return eb.or([eb('review.revisionId', '!=', revisionId), isSuperseded(eb), eb.exists(asked)])
}

/** SQL condition: the reviewer has a newer review. */
export function isSuperseded(eb: Reviews): ExpressionWrapper<Schema, 'review', SqlBool> {
  // Reading the newest from the index is fast. `exists` would join the reviews of each reviewer with each other.
  const newest = eb
    .selectFrom('review as newer')
    .select((newer) => newer.fn.max('newer.id').as('id'))
    .whereRef('newer.changeRequestId', '=', 'review.changeRequestId')
    .whereRef('newer.reviewerId', '=', 'review.reviewerId')
  return eb('review.id', '<', newest)
}

/** Reviews of a change request as the API returns them, each with its comment. */
export async function toReviews(db: Reader, viewing: Viewing, rows: ReviewRow[]): Promise<Review[]> {
  if (rows.length === 0) return []
  const named = rows.flatMap(({ reviewerId, requestedBy }) => [
    reviewerId,
    ...(requestedBy === null ? [] : [requestedBy]),
  ])
  const users = await usersIn(viewing.urls, db, viewing, named)
  const texts = await reviewTexts(db, viewing, rows)
  const counts = await countComments(db, rows)

  return rows.map((row) => {
    const requestedBy = row.requestedBy === null ? undefined : users.get(row.requestedBy)
    const comment = row.commentId === null ? undefined : texts.get(row.commentId)
    return {
      object: 'change-request-review',
      id: row.id,
      revision: row.revisionId,
      reviewer: users.get(row.reviewerId)!,
      ...(requestedBy && { requestedBy }),
      status: row.status,
      outdated: row.outdated === 1,
      ...(comment && { comment }),
      comments: counts.get(row.id) ?? 0,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      urls: {
        location: viewing.urls.api(
          `/spaces/${viewing.space.id}/change-requests/${row.changeRequestId}/reviews/${row.id}`,
        ),
      },
    }
  })
}

/** The review of a change request with this id. @throws 404 */
export async function needReview(
  db: Reader,
  viewing: Viewing & { changeRequest: Reviewed },
  id: string,
): Promise<Review> {
  const row = await selectReviews(db, viewing.changeRequest).where('review.id', '=', id).executeTakeFirst()
  const [review] = row ? await toReviews(db, viewing, [row]) : []
  if (!review) throw notFound('review')
  return review
}

/** The comments that are the texts of reviews, by their ids. */
async function reviewTexts(db: Reader, viewing: Viewing, rows: ReviewRow[]): Promise<Map<string, Comment>> {
  const ids = rows.flatMap(({ commentId }) => commentId ?? [])
  if (ids.length === 0) return new Map()
  const written = await db
    .selectFrom('comment')
    .selectAll()
    .where('spaceId', '=', viewing.space.id)
    .where('changeRequestId', '=', viewing.changeRequest?.id ?? null)
    .where('id', 'in', ids)
    .execute()
  return new Map((await toComments(db, viewing, written)).map((comment) => [comment.id, comment]))
}

/** The number of the other comments of reviews, by the ids of the reviews. */
async function countComments(db: Reader, rows: ReviewRow[]): Promise<Map<string, number>> {
  const counts = await db
    .selectFrom('comment')
    .innerJoin('review', 'review.id', 'comment.reviewId')
    .select('review.id')
    .select((eb) => eb.fn.countAll().as('comments'))
    .where(
      'comment.reviewId',
      'in',
      rows.map(({ id }) => id),
    )
    .where((eb) =>
      eb.or([eb('review.commentId', 'is', null), eb('comment.id', '!=', eb.ref('review.commentId'))]),
    )
    .groupBy('review.id')
    .execute()
  return new Map(counts.map(({ id, comments }) => [id, Number(comments)]))
}

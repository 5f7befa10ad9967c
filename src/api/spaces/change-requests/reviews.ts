import { Type } from 'typebox'
import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import type { Row, Tx } from '../../../db/schema.ts'
import { conflict, unknownId } from '../../../http/errors.ts'
import { listOf, ListQuery, listRows } from '../../../http/pagination.ts'
import { DOCUMENT_BODY_LIMIT, route } from '../../../http/route.ts'
import { InChangeRequest, refuseClosed } from '../../../model/proposals/change-request.ts'
import {
  CommentBody,
  FormatQuery,
  readCommentBody,
  sourceOfBody,
} from '../../../model/discussion/comment-body.ts'
import { prepareComments } from '../../../model/discussion/new-comment.ts'
import { Id, oneOf } from '../../../model/common.ts'
import { insertReview } from '../../../model/proposals/insert-review.ts'
import { ReviewComments } from '../../../model/proposals/review-draft.ts'
import {
  isOutdated,
  needReview,
  Review,
  REVIEW_STATUSES,
  selectReviews,
  toReviews,
} from '../../../model/proposals/review.ts'
import { viewingOf } from '../../../shared-routes/discussion/base.ts'
import { because } from '../../../core/languages/reasons.ts'

export const getReviewsByChangeRequestId = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/reviews',
  summary: 'List the reviews of a change request, newest first',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  query: Type.Object({
    ...ListQuery.properties,
    ...FormatQuery.properties,
    outdated: Type.Optional(
      Type.Boolean({ description: 'Return only reviews that are outdated, or only those that are not' }),
    ),
  }),
  returns: listOf(Review),
  async handler(context) {
    const { db, changeRequest, query, page } = context
    const reviews = selectReviews(db, changeRequest).$if(query.outdated !== undefined, (all) =>
      all.where((eb) => {
        const outdated = isOutdated(eb, changeRequest)
        return query.outdated ? outdated : eb.not(outdated)
      }),
    )
    const list = await listRows(reviews, page, { by: ['review.id'], order: 'desc' })
    return { ...list, items: await toReviews(db, viewingOf(context), list.items) }
  },
})

export const submitChangeRequestReview = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/reviews',
  summary: 'Review the current content of a change request',
  description:
    'The review completes a review request to the caller and replaces the earlier reviews of the caller. `comments` are posted together with it: if one of them is refused, nothing is stored. If `revision` is sent and the content has changed since, the request fails with 409. The author of the change request can review it too; the merge rules decide whether that suffices.',
  event: 'review',
  access: onChangeRequest('review'),
  params: InChangeRequest,
  bodyLimit: DOCUMENT_BODY_LIMIT,
  body: Type.Object({
    status: oneOf(REVIEW_STATUSES),
    comment: Type.Optional(CommentBody),
    comments: Type.Optional(ReviewComments),
    revision: Type.Optional(Id),
  }),
  returns: Review,
  status: 201,
  location: ({ id }, urls, { spaceId, changeRequestId }) =>
    urls.api(`/spaces/${spaceId}/change-requests/${changeRequestId}/reviews/${id}`),
  async prepare({ db, space, changeRequest, body }) {
    refuseClosed(changeRequest)
    const text = sourceOfBody(body.comment ?? {}, 'body.comment')
    const comments = await prepareComments(db.read, { space, changeRequest }, body.comments ?? [])
    return { ...(await readCommentBody(db.read, space.id, text)), comments }
  },
  async handler(context) {
    const { tx, me, space, changeRequest, body, now, newId, audit, prepared } = context
    refuseClosed(changeRequest)
    if (body.revision !== undefined) await needPresent(tx, changeRequest, body.revision)
    const { status } = body
    const { id, comments: postedComments } = await insertReview(
      tx,
      { space, changeRequest },
      { status, text: prepared.source, comments: prepared.comments },
      { userId: me.userId, now, newId },
    )
    const reviewed = { changeRequest: changeRequest.id, revision: changeRequest.revisionId, status }
    audit({ after: postedComments.length > 0 ? { ...reviewed, postedComments } : reviewed })
    return needReview(tx, viewingOf(context), id)
  },
})

export const getChangeRequestReviewById = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/reviews/:reviewId',
  summary: 'Get a review',
  access: onChangeRequest('read'),
  params: Type.Object({ ...InChangeRequest.properties, reviewId: Id }),
  query: FormatQuery,
  returns: Review,
  handler: (context) => needReview(context.db, viewingOf(context), context.params.reviewId),
})

/** @throws 400 for a revision of another space, 409 for an earlier revision */
async function needPresent(tx: Tx, changeRequest: Row<'changeRequest'>, revision: string): Promise<void> {
  if (revision === changeRequest.revisionId) return
  const earlier = await tx
    .selectFrom('revision')
    .select('id')
    .where('id', '=', revision)
    .where('spaceId', '=', changeRequest.spaceId)
    .executeTakeFirst()
  if (!earlier) throw unknownId('body.revision', revision, 'a revision of this change request')
  throw conflict(because('change-request-changed'))
}

import { Type } from 'typebox'
import { onChangeRequest } from '../../../access/on-change-request.ts'
import type { Row, Tx } from '../../../db/schema.ts'
import { conflict, notFound } from '../../../http/errors.ts'
import { listOf, listPage, ListQuery, textAfter } from '../../../http/page.ts'
import { route } from '../../../http/route.ts'
import { InChangeRequest, refuseClosed } from '../../../model/change-request.ts'
import { CommentBody, FormatQuery, sourceOfBody } from '../../../model/comment-body.ts'
import { insertComment } from '../../../model/comment.ts'
import { Id, oneOf } from '../../../model/common.ts'
import { endRequest } from '../../../model/requested-reviewer.ts'
import {
  isOutdated,
  needReview,
  Review,
  REVIEW_STATUSES,
  selectReviews,
  toReviews,
} from '../../../model/review.ts'

export const getReviewsByChangeRequestId = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/reviews',
  summary: 'The reviews of a change request, the newest first',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  query: Type.Object({
    ...ListQuery.properties,
    ...FormatQuery.properties,
    outdated: Type.Optional(Type.Boolean({ description: 'Only those that are outdated, or that are not' })),
  }),
  returns: listOf(Review),
  async handler({ db, me, at, space, changeRequest, role, organizationRole, query, page }) {
    const reviews = selectReviews(db, changeRequest).$if(query.outdated !== undefined, (all) =>
      all.where((eb) => {
        const outdated = isOutdated(eb, changeRequest)
        return query.outdated ? outdated : eb.not(outdated)
      }),
    )
    const rows = await reviews
      .$if(page.after !== undefined, (all) => all.where('review.id', '<', textAfter(page) ?? ''))
      .orderBy('review.id', 'desc')
      .limit(page.limit + 1)
      .execute()
    const { count } = await reviews
      .clearSelect()
      .select((eb) => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    const viewing = {
      at,
      me,
      space,
      changeRequest,
      role,
      organizationRole,
      format: query.format ?? 'document',
    }
    return listPage(await toReviews(db, viewing, rows), Number(count), page, ({ id }) => [id])
  },
})

export const submitChangeRequestReview = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/reviews',
  summary: 'Review the present content of a change request',
  description:
    'Answers what was asked of the caller, and takes the place of their earlier reviews. With `revision` it is refused (409) if the content has changed since that was read. Whoever opened it may review it too; whether that is enough is for the merge rules.',
  access: onChangeRequest('review'),
  params: InChangeRequest,
  body: Type.Object({
    status: oneOf(REVIEW_STATUSES),
    comment: Type.Optional(CommentBody),
    revision: Type.Optional(Id),
  }),
  returns: Review,
  status: 201,
  location: ({ id }, at, { spaceId, changeRequestId }) =>
    at.api(`/spaces/${spaceId}/change-requests/${changeRequestId}/reviews/${id}`),
  async handler({ tx, me, at, space, changeRequest, role, organizationRole, body, now, newId, audit }) {
    refuseClosed(changeRequest)
    if (body.revision !== undefined) await needPresent(tx, changeRequest, body.revision)
    const comment = sourceOfBody(body.comment ?? {}, 'body.comment')

    const request = await endRequest(tx, changeRequest, me.userId)
    const id = newId()
    const [createdAt, userId] = [now.toISOString(), me.userId]
    await tx
      .insertInto('review')
      .values({
        id,
        spaceId: space.id,
        changeRequestId: changeRequest.id,
        revisionId: changeRequest.revisionId,
        reviewerId: userId,
        requestedBy: request?.requestedBy ?? null,
        status: body.status,
        createdAt,
        updatedAt: createdAt,
      })
      .execute()
    if (comment.trim() !== '')
      await insertComment(
        tx,
        { space, changeRequest },
        { id: newId(), body: comment, userId, now, reviewId: id },
      )

    const { status } = body
    audit({ after: { changeRequest: changeRequest.id, revision: changeRequest.revisionId, status } })
    const viewing = { at, me, space, changeRequest, role, organizationRole, format: 'document' } as const
    return needReview(tx, viewing, id)
  },
})

export const getChangeRequestReviewById = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/reviews/:reviewId',
  summary: 'A review',
  access: onChangeRequest('read'),
  params: Type.Object({ ...InChangeRequest.properties, reviewId: Id }),
  query: FormatQuery,
  returns: Review,
  async handler({ db, me, at, space, changeRequest, role, organizationRole, params, query }) {
    const viewing = {
      at,
      me,
      space,
      changeRequest,
      role,
      organizationRole,
      format: query.format ?? 'document',
    }
    return needReview(db, viewing, params.reviewId)
  },
})

/** @throws 404 for what was never its content, 409 for what is not any more */
async function needPresent(tx: Tx, changeRequest: Row<'changeRequest'>, revision: string): Promise<void> {
  if (revision === changeRequest.revisionId) return
  const earlier = await tx
    .selectFrom('revision')
    .select('id')
    .where('id', '=', revision)
    .where('spaceId', '=', changeRequest.spaceId)
    .executeTakeFirst()
  if (!earlier) throw notFound()
  throw conflict('The change request has other content than what was reviewed: read it again, then review it')
}

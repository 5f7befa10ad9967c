import { Type } from 'typebox'
import { onChangeRequest } from '../../../../access/checks/on-change-request.ts'
import { notFound } from '../../../../http/errors.ts'
import { ABSENT, DOCUMENT_BODY_LIMIT, route } from '../../../../http/route.ts'
import { InChangeRequest, refuseClosed } from '../../../../model/proposals/change-request.ts'
import {
  deleteReviewDraft,
  emptyReviewDraft,
  findReviewDraft,
  ReviewDraft,
  reviewDraftData,
  ReviewDraftFields,
  saveReviewDraft,
  toReviewDraft,
} from '../../../../model/proposals/review-draft.ts'

const path = '/v1/spaces/:spaceId/change-requests/:changeRequestId/reviews/draft'

export const getChangeRequestReviewDraft = route({
  method: 'GET',
  path,
  summary: "Get the caller's draft of a review of a change request",
  description:
    'Nobody else can read it. Bodies are returned as they were sent. The request fails with 404 if the caller has no draft. With `orEmpty`, the response is then a draft without comments.',
  access: onChangeRequest('review'),
  params: InChangeRequest,
  query: Type.Object({ orEmpty: Type.Optional(Type.Boolean()) }),
  returns: ReviewDraft,
  async handler({ db, me, changeRequest, query }) {
    const draft = await findReviewDraft(db, changeRequest, me.userId)
    if (!draft && query.orEmpty) return emptyReviewDraft(changeRequest)
    if (!draft) throw notFound('draft')
    return toReviewDraft(draft, changeRequest)
  },
})

export const saveChangeRequestReviewDraft = route({
  method: 'PUT',
  path,
  summary: "Save the caller's draft of a review of a change request",
  description:
    'The draft replaces an earlier one. It has the limits of a review, but its pages and blocks are checked only when the review is submitted. Submitting a review deletes the draft of its author, and a merge deletes all drafts. The request fails with 409 if the change request is archived or merged.',
  access: onChangeRequest('review'),
  // A draft is private, and clients save it every few seconds.
  audit: false,
  params: InChangeRequest,
  bodyLimit: DOCUMENT_BODY_LIMIT,
  body: ReviewDraftFields,
  returns: ReviewDraft,
  async prepare({ body, changeRequest }) {
    refuseClosed(changeRequest)
    return reviewDraftData(body)
  },
  async handler({ tx, me, changeRequest, prepared: data, now }) {
    refuseClosed(changeRequest)
    const draft = await saveReviewDraft(tx, changeRequest, { userId: me.userId, data, now })
    return toReviewDraft(draft, changeRequest)
  },
})

export const deleteChangeRequestReviewDraft = route({
  method: 'DELETE',
  path,
  summary: "Delete the caller's draft of a review of a change request",
  access: onChangeRequest('review'),
  audit: false,
  params: InChangeRequest,
  status: 205,
  async handler({ tx, me, changeRequest }) {
    return (await deleteReviewDraft(tx, changeRequest, me.userId)) ? undefined : ABSENT
  },
})

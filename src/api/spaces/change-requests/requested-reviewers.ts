import { Type } from 'typebox'
import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import { listOf, ListQuery, listRows } from '../../../http/pagination.ts'
import { DOCUMENT_BODY_LIMIT, ABSENT, route } from '../../../http/route.ts'
import {
  descriptionText,
  InChangeRequest,
  refuseClosed,
  Subject,
} from '../../../model/proposals/change-request.ts'
import { Id } from '../../../model/common.ts'
import { DocumentSchema } from '../../../model/content/documents/document.ts'
import {
  askForReviews,
  endRequest,
  RequestedReviewer,
  toRequestedReviewers,
} from '../../../model/proposals/requested-reviewer.ts'

export const getRequestedReviewersByChangeRequestId = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/requested-reviewers',
  summary: 'List the open review requests of a change request, oldest first',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  query: ListQuery,
  returns: listOf(RequestedReviewer),
  async handler({ db, urls, space, changeRequest, organizationRole, page }) {
    const requests = db
      .selectFrom('requestedReviewer')
      .selectAll()
      .where('changeRequestId', '=', changeRequest.id)
    const list = await listRows(requests, page, { by: ['createdAt', 'userId'] })
    return { ...list, items: await toRequestedReviewers(urls, db, { space, organizationRole }, list.items) }
  },
})

export const requestReviewersForChangeRequest = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/requested-reviewers',
  summary: 'Request reviews of a change request',
  description:
    'A draft becomes open. Existing review requests are kept. An earlier review of a requested user is outdated until they review again.',
  event: 'review-request',
  access: onChangeRequest('edit'),
  params: InChangeRequest,
  bodyLimit: DOCUMENT_BODY_LIMIT,
  body: Type.Object({
    users: Type.Array(Id, { maxItems: 100 }),
    subject: Type.Optional(Subject),
    description: Type.Optional(DocumentSchema),
  }),
  returns: Type.Object({ users: Type.Array(RequestedReviewer) }),
  async handler({ tx, me, urls, space, changeRequest, organizationRole, body, now, audit }) {
    refuseClosed(changeRequest)
    const asked = { users: body.users, userId: me.userId, now }
    const requests = await askForReviews(tx, { space, changeRequest }, asked)

    const fields = {
      status: 'open' as const,
      ...(body.subject !== undefined && { subject: body.subject }),
      ...(body.description && { description: descriptionText(body.description) }),
    }
    await tx
      .updateTable('changeRequest')
      .set({ ...fields, updatedAt: now.toISOString() })
      .where('id', '=', changeRequest.id)
      .execute()
    audit({
      target: { type: 'change-request', id: changeRequest.id, label: changeRequest.subject },
      before: changeRequest,
      after: { ...fields, users: body.users },
    })
    return { users: await toRequestedReviewers(urls, tx, { space, organizationRole }, requests) }
  },
})

export const removeRequestedReviewerFromChangeRequest = route({
  method: 'DELETE',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/requested-reviewers/:userId',
  summary: 'Cancel a review request',
  event: 'review-request',
  access: onChangeRequest('edit'),
  params: Type.Object({ ...InChangeRequest.properties, userId: Id }),
  status: 205,
  async handler({ tx, changeRequest, params, audit }) {
    const request = await endRequest(tx, changeRequest, params.userId)
    if (!request) return ABSENT
    const target = { type: 'change-request', id: changeRequest.id, label: changeRequest.subject }
    return audit({ target, before: { users: [params.userId] } })
  },
})

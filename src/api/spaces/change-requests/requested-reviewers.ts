import { Type } from 'typebox'
import { onChangeRequest } from '../../../access/on-change-request.ts'
import { listOf, listPage, ListQuery, textsAfter } from '../../../http/page.ts'
import { GONE, route } from '../../../http/route.ts'
import { descriptionText, InChangeRequest, refuseClosed, Subject } from '../../../model/change-request.ts'
import { Id } from '../../../model/common.ts'
import { DocumentSchema } from '../../../model/document.ts'
import {
  askForReviews,
  endRequest,
  RequestedReviewer,
  toRequestedReviewers,
} from '../../../model/requested-reviewer.ts'

export const getRequestedReviewersByChangeRequestId = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/requested-reviewers',
  summary: 'Who was asked to review a change request and has not yet, who was asked first first',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  query: ListQuery,
  returns: listOf(RequestedReviewer),
  async handler({ db, at, space, changeRequest, organizationRole, page }) {
    const requests = db.selectFrom('requestedReviewer').where('changeRequestId', '=', changeRequest.id)
    const [createdAt = '', userId = ''] = textsAfter(page) ?? []
    const rows = await requests
      .selectAll()
      .$if(page.after !== undefined, (all) =>
        all.where((eb) =>
          eb.or([
            eb('createdAt', '>', createdAt),
            eb.and([eb('createdAt', '=', createdAt), eb('userId', '>', userId)]),
          ]),
        ),
      )
      .orderBy('createdAt')
      .orderBy('userId')
      .limit(page.limit + 1)
      .execute()
    const { count } = await requests.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    const shown = await toRequestedReviewers(at, db, { space, organizationRole }, rows)
    return listPage(shown, Number(count), page, (request) => [request.createdAt, request.user.id])
  },
})

export const requestReviewersForChangeRequest = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/requested-reviewers',
  summary: 'Ask for reviews of a change request',
  description:
    'A draft is opened by it. Whoever was asked already stays asked; a review they have given before is outdated until they have answered.',
  access: onChangeRequest('edit'),
  params: InChangeRequest,
  body: Type.Object({
    users: Type.Array(Id, { maxItems: 100 }),
    subject: Type.Optional(Subject),
    description: Type.Optional(DocumentSchema),
  }),
  returns: Type.Object({ users: Type.Array(RequestedReviewer) }),
  async handler({ tx, me, at, space, changeRequest, organizationRole, body, now, audit }) {
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
    return { users: await toRequestedReviewers(at, tx, { space, organizationRole }, requests) }
  },
})

export const removeRequestedReviewerFromChangeRequest = route({
  method: 'DELETE',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/requested-reviewers/:userId',
  summary: 'Take back that somebody was asked for a review',
  access: onChangeRequest('edit'),
  params: Type.Object({ ...InChangeRequest.properties, userId: Id }),
  status: 205,
  async handler({ tx, changeRequest, params, audit }) {
    const request = await endRequest(tx, changeRequest, params.userId)
    if (!request) return GONE
    const target = { type: 'change-request', id: changeRequest.id, label: changeRequest.subject }
    return audit({ target, before: { users: [params.userId] } })
  },
})

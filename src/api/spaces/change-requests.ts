import { Type } from 'typebox'
import { demand, onSpace } from '../../access/checks/on.ts'
import { onChangeRequest } from '../../access/checks/on-change-request.ts'
import { onReadableChangeRequest } from '../../model/sites/published/on-reader.ts'
import { conflict } from '../../http/errors.ts'
import { listOf, listRows } from '../../http/pagination.ts'
import { DOCUMENT_BODY_LIMIT, route } from '../../http/route.ts'
import {
  ChangeRequest,
  descriptionText,
  InChangeRequest,
  insertChangeRequest,
  Subject,
  toChangeRequest,
  toChangeRequests,
} from '../../model/proposals/change-request.ts'
import {
  ChangeRequestsQuery,
  filterChangeRequests,
  LAST_UPDATED_FIRST,
} from '../../model/proposals/change-request-list.ts'
import { InSpace, nullable, oneOf, withUpdatedAt } from '../../model/common.ts'
import { DocumentSchema } from '../../model/content/documents/document.ts'
import { because } from '../../core/languages/reasons.ts'

export const listChangeRequestsForSpace = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests',
  summary: 'List the change requests of a space, newest first',
  description:
    'By default, only open change requests are listed. `contributor` returns only change requests that this user edited or commented on.',
  access: onSpace('read'),
  params: InSpace,
  query: ChangeRequestsQuery,
  returns: listOf(ChangeRequest),
  async handler({ db, urls, space, organizationRole, query, page }) {
    const all = db.selectFrom('changeRequest').selectAll().where('spaceId', '=', space.id)
    const filtered = filterChangeRequests(all, query)
    const list =
      query.orderBy === 'updatedAt'
        ? await listRows(filtered, page, LAST_UPDATED_FIRST)
        : await listRows(filtered, page, {
            by: ['number'],
            order: 'desc',
            numeric: true,
            large: ['description'],
          })
    return { ...list, items: await toChangeRequests(urls, db, list.items, organizationRole !== null) }
  },
})

export const createChangeRequest = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests',
  summary: 'Create a change request: a draft based on the current content of the space',
  access: onSpace('edit'),
  params: InSpace,
  body: Type.Object({ subject: Type.Optional(Subject) }),
  returns: ChangeRequest,
  status: 201,
  async handler({ tx, me, urls, space, organizationRole, body, now, newId, audit }) {
    const fields = { id: newId(), subject: body.subject ?? '', userId: me.userId, now }
    audit({ changeRequestId: fields.id })
    return toChangeRequest(urls, tx, await insertChangeRequest(tx, space, fields), organizationRole !== null)
  },
})

export const getChangeRequestById = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId',
  summary: 'Get a change request by its id or number',
  access: onReadableChangeRequest(),
  readers: true,
  params: InChangeRequest,
  returns: ChangeRequest,
  async handler({ db, urls, changeRequest, organizationRole }) {
    return toChangeRequest(urls, db, changeRequest, organizationRole !== null)
  },
})

export const updateChangeRequestById = route({
  method: 'PATCH',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId',
  summary: 'Update, open, archive or reopen a change request',
  description:
    'Fields that are not sent keep their values; `null` clears the `description`. Archiving or reopening the change request of another user requires `review`. The status of a merged change request cannot change: the request fails with 409.',
  access: onChangeRequest('edit'),
  params: InChangeRequest,
  bodyLimit: DOCUMENT_BODY_LIMIT,
  body: Type.Object({
    subject: Type.Optional(Subject),
    description: Type.Optional(nullable(DocumentSchema)),
    status: Type.Optional(oneOf(['draft', 'open', 'archived'])),
  }),
  returns: ChangeRequest,
  async handler({ tx, me, urls, body, changeRequest, role, organizationRole, now }) {
    const { subject, description, status } = body
    if (status !== undefined && status !== changeRequest.status) {
      const either = [status, changeRequest.status]
      if (either.includes('archived') && changeRequest.createdBy !== me.userId)
        demand(role, 'review', 'to-reopen')
      if (changeRequest.status === 'merged') throw conflict(because('merged-change-request-final'))
    }
    const changes = { subject, description: description && descriptionText(description), status }
    const updated = await tx
      .updateTable('changeRequest')
      .set(withUpdatedAt(changeRequest, changes, now))
      .where('id', '=', changeRequest.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toChangeRequest(urls, tx, updated, organizationRole !== null)
  },
})

import { Type } from 'typebox'
import { demand, onSpace } from '../../access/on.ts'
import { onChangeRequest } from '../../access/on-change-request.ts'
import { conflict } from '../../http/errors.ts'
import { listOf, listPage, numberAfter } from '../../http/page.ts'
import { route } from '../../http/route.ts'
import {
  ChangeRequest,
  descriptionText,
  InChangeRequest,
  insertChangeRequest,
  Subject,
  toChangeRequest,
  toChangeRequests,
} from '../../model/change-request.ts'
import { ChangeRequestsQuery, narrowed } from '../../model/change-request-list.ts'
import { InSpace, nullable, oneOf } from '../../model/common.ts'
import { DocumentSchema } from '../../model/document.ts'

export const listChangeRequestsForSpace = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests',
  summary: 'The change requests of a space, newest first',
  description:
    'Those that are open, unless `status` names another. `contributor` is who wrote content into them, or comments.',
  access: onSpace('read'),
  params: InSpace,
  query: ChangeRequestsQuery,
  returns: listOf(ChangeRequest),
  async handler({ db, at, space, organizationRole, query, page }) {
    const before = numberAfter(page)
    const asked = narrowed(db.selectFrom('changeRequest').where('spaceId', '=', space.id), query)
    const { count } = await asked.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    const rows = await asked
      .selectAll()
      .$if(before !== undefined, (some) => some.where('number', '<', before ?? 0))
      .orderBy('number', 'desc')
      .limit(page.limit + 1)
      .execute()
    const shown = await toChangeRequests(at, db, rows, organizationRole !== null)
    return listPage(shown, Number(count), page, ({ number }) => [String(number)])
  },
})

export const createChangeRequest = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests',
  summary: 'Propose a change: a draft on the current content of the space',
  access: onSpace('edit'),
  params: InSpace,
  body: Type.Object({ subject: Type.Optional(Subject) }),
  returns: ChangeRequest,
  status: 201,
  async handler({ tx, me, at, space, organizationRole, body, now, newId }) {
    const fields = { id: newId(), subject: body.subject ?? '', userId: me.userId, now }
    return toChangeRequest(at, tx, await insertChangeRequest(tx, space, fields), organizationRole !== null)
  },
})

export const getChangeRequestById = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId',
  summary: 'A change request, by its id or its number',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  returns: ChangeRequest,
  async handler({ db, at, changeRequest, organizationRole }) {
    return toChangeRequest(at, db, changeRequest, organizationRole !== null)
  },
})

export const updateChangeRequestById = route({
  method: 'PATCH',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId',
  summary: 'Change what a change request says of itself, open it, archive it or take it up again',
  description:
    'Absent fields stay; a `description` of null clears it. Archiving one that somebody else made, and taking it up again, needs the permission "review". 409 for the status of one that is merged.',
  access: onChangeRequest('edit'),
  params: InChangeRequest,
  body: Type.Object({
    subject: Type.Optional(Subject),
    description: Type.Optional(nullable(DocumentSchema)),
    status: Type.Optional(oneOf(['draft', 'open', 'archived'])),
  }),
  returns: ChangeRequest,
  async handler({ tx, me, at, body, changeRequest, role, organizationRole, now }) {
    const { subject, description, status } = body
    if (status !== undefined && status !== changeRequest.status) {
      const either = [status, changeRequest.status]
      if (either.includes('archived') && changeRequest.createdBy !== me.userId)
        demand(role, 'review', 'on this space, to archive the change requests of others and to reopen them')
      if (changeRequest.status === 'merged')
        throw conflict('This change request is merged, and that cannot be undone: open another one')
    }
    const updated = await tx
      .updateTable('changeRequest')
      .set({
        ...(subject === undefined ? {} : { subject }),
        ...(description === undefined ? {} : { description: description && descriptionText(description) }),
        ...(status === undefined ? {} : { status }),
        updatedAt: now.toISOString(),
      })
      .where('id', '=', changeRequest.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toChangeRequest(at, tx, updated, organizationRole !== null)
  },
})

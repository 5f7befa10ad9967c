import { Type } from 'typebox'
import { onSpace } from '../../access/on.ts'
import { onChangeRequest } from '../../access/on-change-request.ts'
import { route } from '../../http/route.ts'
import {
  ChangeRequest,
  InChangeRequest,
  insertChangeRequest,
  Subject,
  toChangeRequest,
} from '../../model/change-request.ts'
import { InSpace } from '../../model/common.ts'

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

import { Type } from 'typebox'
import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import { route } from '../../../http/route.ts'
import { InChangeRequest, refuseClosed } from '../../../model/proposals/change-request.ts'
import { oneOf } from '../../../model/common.ts'
import { prepareMerge } from '../../../model/proposals/merged-bodies.ts'
import { pullPrimary } from '../../../model/proposals/merging.ts'

export const updateChangeRequest = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/update',
  summary: 'Update a change request from the primary content',
  description:
    'The update is one revision of the change request. If both sides changed the same content, the change request keeps its own, and `result` is `conflicts`. Each conflict stays open until it is resolved. The request fails with 409 if the change request is archived or merged.',
  access: onChangeRequest('edit'),
  audit: 'space.change-request.pull',
  params: InChangeRequest,
  returns: Type.Object(
    {
      revision: Type.String({ description: 'The newest revision of the change request' }),
      result: oneOf(['update', 'conflicts']),
    },
    { title: 'UpdateResult' },
  ),
  async prepare({ db, space, changeRequest, now, signal }) {
    refuseClosed(changeRequest)
    return prepareMerge(db.read, { space, changeRequest }, { now, signal })
  },
  async handler({ tx, me, space, changeRequest, prepared, now, newId, audit }) {
    refuseClosed(changeRequest)
    const by = { userId: me.userId, now, newId }
    const { revision, result } = await pullPrimary(tx, { space, changeRequest }, by, prepared)
    const { id, subject, revisionId } = changeRequest
    audit({
      target: { type: 'change-request', id, label: subject },
      before: { revision: revisionId, result: null },
      after: { revision, result },
    })
    return { revision, result }
  },
})

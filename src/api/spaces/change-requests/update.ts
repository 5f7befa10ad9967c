import { Type } from 'typebox'
import { onChangeRequest } from '../../../access/on-change-request.ts'
import { route } from '../../../http/route.ts'
import { InChangeRequest, refuseClosed } from '../../../model/change-request.ts'
import { oneOf } from '../../../model/common.ts'
import { pullPrimary } from '../../../model/merging.ts'

export const updateChangeRequest = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/update',
  summary: 'Pull the primary content into a change request',
  description:
    'All or nothing, as one revision of the change request. Where both changed the same, its own side stays, the answer is `conflicts`, and they are open until each is resolved. 409 where it is archived or merged.',
  access: onChangeRequest('edit'),
  audit: 'space.change-request.pull',
  params: InChangeRequest,
  returns: Type.Object(
    {
      revision: Type.String({ description: 'The newest of the change request' }),
      result: oneOf(['update', 'conflicts']),
    },
    { title: 'UpdateResult' },
  ),
  async handler({ tx, me, space, changeRequest, now, newId, audit }) {
    refuseClosed(changeRequest)
    const by = { userId: me.userId, now, newId }
    const { revision, result } = await pullPrimary(tx, { space, changeRequest }, by)
    const { id, subject, revisionId } = changeRequest
    audit({
      target: { type: 'change-request', id, label: subject },
      before: { revision: revisionId, result: null },
      after: { revision, result },
    })
    return { revision, result }
  },
})

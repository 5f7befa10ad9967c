import { Type } from 'typebox'
import { onChangeRequest } from '../../../access/on-change-request.ts'
import { route } from '../../../http/route.ts'
import { InChangeRequest, refuseClosed } from '../../../model/change-request.ts'
import { oneOf } from '../../../model/common.ts'
import { mergeIntoPrimary } from '../../../model/merging.ts'

export const mergeChangeRequest = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/merge',
  summary: 'Merge a change request into the primary content',
  description:
    'All or nothing, as one revision after both. Where both changed the same, the answer is `conflicts`: the primary content stays as it was, and the change request is updated from it, with the conflicts open. 409 while a conflict is open, where nothing is to be merged, and where the change request is archived or merged.',
  access: onChangeRequest('review'),
  params: InChangeRequest,
  returns: Type.Object(
    {
      revision: Type.String({
        description: 'Of the primary content, or, where there are conflicts, of the change request',
      }),
      result: oneOf(['merge', 'conflicts']),
    },
    { title: 'MergeResult' },
  ),
  async handler({ tx, me, at, space, changeRequest, now, newId, audit }) {
    refuseClosed(changeRequest)
    const by = { userId: me.userId, now, newId }
    const { revision, result } = await mergeIntoPrimary(tx, at, { space, changeRequest }, by)
    const { id, subject, status } = changeRequest
    const [before, after] =
      result === 'merge'
        ? [
            { revision: space.revisionId, status },
            { revision, status: 'merged' },
          ]
        : [{ revision: changeRequest.revisionId }, { revision }]
    audit({
      target: { type: 'change-request', id, label: subject },
      before: { ...before, result: null },
      after: { ...after, result },
    })
    return { revision, result }
  },
})

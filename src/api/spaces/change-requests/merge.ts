import { Type } from 'typebox'
import { onChangeRequest } from '../../../access/on-change-request.ts'
import { conflict } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { InChangeRequest, refuseClosed } from '../../../model/change-request.ts'
import { oneOf } from '../../../model/common.ts'
import { failingRules } from '../../../model/failing-rules.ts'
import { mergeIntoPrimary } from '../../../model/merging.ts'

export const mergeChangeRequest = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/merge',
  summary: 'Merge a change request into the primary content',
  description:
    'All or nothing, as one revision after both. Where both changed the same, the answer is `conflicts`: the primary content stays as it was, and the change request is updated from it, with the conflicts open. 409 while a conflict is open, where a merge rule of the space fails, where nothing is to be merged, and where the change request is archived or merged.',
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
  async handler({ tx, me, at, space, changeRequest, role, now, newId, audit }) {
    refuseClosed(changeRequest)
    const failing = await failingRules(at, tx, { space, changeRequest, me, role })
    if (failing.length > 0)
      throw conflict(['The merge rules do not let this merge', ...failing].map((one) => `${one}.`).join(' '))
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

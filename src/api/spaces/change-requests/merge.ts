import { Type } from 'typebox'
import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import { conflict } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { InChangeRequest, refuseClosed } from '../../../model/proposals/change-request.ts'
import { oneOf } from '../../../model/common.ts'
import { failingRules, ruleFault } from '../../../model/proposals/failing-rules.ts'
import { checkMerge, MergeCheck } from '../../../model/proposals/merge-check.ts'
import { prepareMerge } from '../../../model/proposals/merged-bodies.ts'
import { mergeIntoPrimary } from '../../../model/proposals/merging.ts'
import { because } from '../../../core/languages/reasons.ts'

export const checkChangeRequestMerge = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/merge',
  summary: 'Check whether the caller can merge a change request',
  description:
    'Nothing changes. If a conflict is open, `conflicts` has the open ones; otherwise it has those that a merge would find.',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  returns: MergeCheck,
  async handler({ db, me, urls, space, changeRequest, role, organizationRole, now, leaving }) {
    const merging = { space, changeRequest, me, role }
    return checkMerge(urls, db, merging, { now, signal: leaving(), organizationRole })
  },
})

export const mergeChangeRequest = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/merge',
  summary: 'Merge a change request into the primary content',
  description:
    'The merge is one revision of the primary content. If both sides changed the same content, `result` is `conflicts`: the primary content does not change, and the change request is updated from it, with open conflicts. The request fails with 409 while a conflict is open, if a merge rule of the space is not met, if there is nothing to merge, and if the change request is archived or merged.',
  access: onChangeRequest('review'),
  params: InChangeRequest,
  returns: Type.Object(
    {
      revision: Type.String({
        description: 'The new revision of the primary content; with conflicts, of the change request',
      }),
      result: oneOf(['merge', 'conflicts']),
    },
    { title: 'MergeResult' },
  ),
  async prepare({ db, space, changeRequest, now, signal }) {
    refuseClosed(changeRequest)
    return prepareMerge(db.read, { space, changeRequest }, { now, signal })
  },
  async handler({ tx, me, urls, space, changeRequest, role, prepared, now, newId, audit }) {
    refuseClosed(changeRequest)
    const failing = await failingRules(urls, tx, { space, changeRequest, me, role })
    if (failing.length > 0)
      throw conflict(
        because('merge-rules-not-met', { faults: failing.map(({ message }) => `${message}.`).join(' ') }),
        failing.map(ruleFault),
      )
    const by = { userId: me.userId, now, newId }
    const { revision, result } = await mergeIntoPrimary(tx, urls, { space, changeRequest }, by, prepared)
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

import { Type } from 'typebox'
import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import { route } from '../../../http/route.ts'
import { ancestorOf, InChangeRequest } from '../../../model/proposals/change-request.ts'
import { needRevision } from '../../../model/content/commit.ts'
import { changesBetween, ChangesQuery, SemanticChanges } from '../../../model/history/semantic-changes.ts'

export const getChangeRequestChanges = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/changes',
  summary: 'List the changes of a change request against the primary content it was last updated from',
  description:
    'These are the changes that a merge would make. `more` is the number of changes beyond `limit`.',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  query: Type.Object(ChangesQuery),
  returns: SemanticChanges,
  async handler({ db, urls, space, changeRequest, query }) {
    const seen = await needRevision(db, space.id, ancestorOf(changeRequest))
    const own = await needRevision(db, space.id, changeRequest.revisionId)
    return changesBetween(db, urls, seen, own, query)
  },
})

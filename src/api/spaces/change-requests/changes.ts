import { Type } from 'typebox'
import { onChangeRequest } from '../../../access/on-change-request.ts'
import { route } from '../../../http/route.ts'
import { ancestorOf, InChangeRequest } from '../../../model/change-request.ts'
import { needRevision } from '../../../model/revision.ts'
import { changesBetween, ChangesLimit, SemanticChanges } from '../../../model/semantic-changes.ts'

export const getChangeRequestChanges = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/changes',
  summary: 'What a change request changes, beside the primary content that it has seen last',
  description: 'What merging it brings. `more` says how many changes `limit` left out.',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  query: Type.Object({ limit: ChangesLimit }),
  returns: SemanticChanges,
  async handler({ db, at, space, changeRequest, query }) {
    const seen = await needRevision(db, space.id, ancestorOf(changeRequest))
    const own = await needRevision(db, space.id, changeRequest.revisionId)
    return changesBetween(db, at, seen, own, query.limit ?? 10)
  },
})

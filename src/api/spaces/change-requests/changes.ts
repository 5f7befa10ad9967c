import { Type } from 'typebox'
import { route } from '../../../http/route.ts'
import { changesForReader } from '../../../shared-routes/reader-changes.ts'
import { ancestorOf, InChangeRequest } from '../../../model/proposals/change-request.ts'
import { needRevision } from '../../../model/content/commit.ts'
import { onReadableChangeRequest } from '../../../model/sites/published/on-reader.ts'
import { changesBetween, ChangesQuery, SemanticChanges } from '../../../model/history/semantic-changes.ts'

export const getChangeRequestChanges = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/changes',
  summary: 'List the changes of a change request against the primary content it was last updated from',
  description:
    'These are the changes that a merge would make. `more` is the number of changes beyond `limit`. The site token of a preview reads the changes of the pages that its reader sees, without `blocks`.',
  access: onReadableChangeRequest(),
  readers: true,
  params: InChangeRequest,
  query: Type.Object(ChangesQuery),
  returns: SemanticChanges,
  async handler({ db, urls, space, changeRequest, query, reading }) {
    const seen = await needRevision(db, space.id, ancestorOf(changeRequest))
    const own = await needRevision(db, space.id, changeRequest.revisionId)
    if (reading) return changesForReader({ db, urls }, reading, { before: seen, after: own }, query)
    return changesBetween(db, urls, seen, own, query)
  },
})

import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import { listOf, ListQuery } from '../../../http/pagination.ts'
import { route } from '../../../http/route.ts'
import { listRevisionsIn } from '../../../model/history/revision-list.ts'
import { RevisionSummary, toRevisionSummaries } from '../../../model/history/revision.ts'
import { InChangeRequest } from '../../../model/proposals/change-request.ts'

export const listChangeRequestRevisions = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/revisions',
  summary: 'List the revisions of a change request, newest first',
  description: 'The list has edits and updates from the primary content, but not the initial revision.',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  query: ListQuery,
  returns: listOf(RevisionSummary),
  async handler({ db, urls, space, changeRequest, organizationRole, page }) {
    const list = await listRevisionsIn(db, { space, changeRequest }, page)
    return { ...list, items: await toRevisionSummaries(urls, db, list.items, organizationRole !== null) }
  },
})

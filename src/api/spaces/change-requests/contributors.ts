import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import { listItems, listOf, ListQuery } from '../../../http/pagination.ts'
import { route } from '../../../http/route.ts'
import { InChangeRequest } from '../../../model/proposals/change-request.ts'
import { contributionsTo, Contributor, contributionPlace } from '../../../model/history/contributor.ts'
import { usersIn } from '../../../model/people/user.ts'

export const getContributorsByChangeRequestId = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/contributors',
  summary: 'List the users who edited or commented on a change request, latest first',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  query: ListQuery,
  returns: listOf(Contributor),
  async handler({ db, urls, space, changeRequest, organizationRole, page }) {
    const all = await contributionsTo(db, changeRequest)
    const list = await listItems(all, page, { key: (one) => [contributionPlace(one)], order: 'desc' })
    const ids = list.items.map(({ userId }) => userId)
    const users = await usersIn(urls, db, { space, organizationRole }, ids)
    return {
      ...list,
      items: list.items.map(({ userId, ...one }) => ({ ...one, user: users.get(userId)! })),
    }
  },
})

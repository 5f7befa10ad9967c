import { onChangeRequest } from '../../../access/on-change-request.ts'
import { listOf, listPage, ListQuery, textAfter } from '../../../http/page.ts'
import { route } from '../../../http/route.ts'
import { InChangeRequest } from '../../../model/change-request.ts'
import { contributionsTo, Contributor, placeOf } from '../../../model/contributor.ts'
import { usersIn } from '../../../model/user.ts'

export const getContributorsByChangeRequestId = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/contributors',
  summary: 'Who wrote into a change request, and who about it, the latest first',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  query: ListQuery,
  returns: listOf(Contributor),
  async handler({ db, at, space, changeRequest, organizationRole, page }) {
    const all = await contributionsTo(db, changeRequest)
    const after = textAfter(page)
    const rest = all.filter((one) => after === undefined || placeOf(one) < after).slice(0, page.limit + 1)
    const ids = rest.map(({ userId }) => userId)
    const users = await usersIn(at, db, { space, organizationRole }, ids)
    const list = listPage(rest, all.length, page, (one) => [placeOf(one)])
    return {
      ...list,
      items: list.items.map(({ userId, ...one }) => ({ ...one, user: users.get(userId)! })),
    }
  },
})

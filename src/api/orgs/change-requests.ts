import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import { loadReach } from '../../access/roles/reach.ts'
import { listOf, listRows } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { ChangeRequest, toChangeRequests } from '../../model/proposals/change-request.ts'
import {
  ChangeRequestsQuery,
  filterChangeRequests,
  LAST_UPDATED_FIRST,
} from '../../model/proposals/change-request-list.ts'
import { Id, InOrganization } from '../../model/common.ts'

export const listChangeRequestsForOrganization = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/change-requests',
  summary: 'List the change requests of all spaces that the caller can see, newest first',
  access: onOrg(),
  params: InOrganization,
  query: Type.Object({
    ...ChangeRequestsQuery.properties,
    space: Type.Optional({ ...Id, description: 'Return only change requests of this space' }),
  }),
  returns: listOf(ChangeRequest),
  async handler({ db, me, urls, organization, organizationRole, query, page }) {
    const member = { userId: me.userId, organizationId: organization.id, role: organizationRole }
    const reach = await loadReach(db, member)
    const visible = db
      .selectFrom('changeRequest')
      .innerJoin('space', 'space.id', 'changeRequest.spaceId')
      .where('space.organizationId', '=', organization.id)
      .where('space.deletedAt', 'is', null)
      .where(reach.spacesFrom('read'))
      .$if(query.space !== undefined, (some) => some.where('space.id', '=', query.space ?? ''))
    const filtered = filterChangeRequests(visible, query).selectAll('changeRequest')
    const list =
      query.orderBy === 'updatedAt'
        ? await listRows(filtered, page, LAST_UPDATED_FIRST)
        : await listRows(filtered, page, {
            by: ['changeRequest.id'],
            order: 'desc',
            large: ['changeRequest.description'],
          })
    return { ...list, items: await toChangeRequests(urls, db, list.items, organizationRole !== null) }
  },
})

import { Type } from 'typebox'
import { onOrg } from '../../access/on.ts'
import { loadReach } from '../../access/reach.ts'
import { listOf, listPage, textAfter } from '../../http/page.ts'
import { route } from '../../http/route.ts'
import { ChangeRequest, toChangeRequests } from '../../model/change-request.ts'
import { ChangeRequestsQuery, narrowed } from '../../model/change-request-list.ts'
import { Id, InOrganization } from '../../model/common.ts'

export const listChangeRequestsForOrganization = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/change-requests',
  summary: 'The change requests of all spaces of an organization that the caller may see, newest first',
  access: onOrg(),
  params: InOrganization,
  query: Type.Object({
    ...ChangeRequestsQuery.properties,
    space: Type.Optional({ ...Id, description: 'Only those of this space' }),
  }),
  returns: listOf(ChangeRequest),
  async handler({ db, me, at, organization, organizationRole, query, page }) {
    const member = { userId: me.userId, organizationId: organization.id, role: organizationRole }
    const reach = await loadReach(db, member)
    const visible = db
      .selectFrom('changeRequest')
      .innerJoin('space', 'space.id', 'changeRequest.spaceId')
      .where('space.organizationId', '=', organization.id)
      .where('space.deletedAt', 'is', null)
      .where(reach.spacesFrom('read'))
      .$if(query.space !== undefined, (some) => some.where('space.id', '=', query.space ?? ''))
    const asked = narrowed(visible, query)

    const { count } = await asked.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    const rows = await asked
      .selectAll('changeRequest')
      .$if(page.after !== undefined, (some) => some.where('changeRequest.id', '<', textAfter(page) ?? ''))
      .orderBy('changeRequest.id', 'desc')
      .limit(page.limit + 1)
      .execute()
    const shown = await toChangeRequests(at, db, rows, organizationRole !== null)
    return listPage(shown, Number(count), page, ({ id }) => [id])
  },
})

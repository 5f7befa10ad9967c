import { Type } from 'typebox'
import { onOrg } from '../../access/checks/on.ts'
import { loadReach } from '../../access/roles/reach.ts'
import { listOf, ListQuery } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { InOrganization } from '../../model/common.ts'
import { listSpacesFound, SearchSpace, SearchText } from '../../model/search/hit.ts'
import { answerMember } from '../../model/search/member-answers.ts'

export const searchOrganizationContent = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/search',
  summary: 'Search the spaces of an organization that the caller can see',
  description:
    'Each item is a space with its best pages: 10, or fewer in a response with more than five spaces. The space with the best page comes first. Deleted spaces, and pages with `noIndex`, are not found.',
  access: onOrg(),
  params: InOrganization,
  query: Type.Object({ ...ListQuery.properties, query: SearchText }),
  returns: listOf(SearchSpace),
  async handler({ db, me, urls, organization, organizationRole, query, page, leaving }) {
    const member = { userId: me.userId, organizationId: organization.id, role: organizationRole }
    const reach = await loadReach(db, member)
    const spaces = await db
      .selectFrom('space')
      .select(['id', 'title', 'revisionId'])
      .where('organizationId', '=', organization.id)
      .where('deletedAt', 'is', null)
      .where(reach.spacesFrom('read'))
      .execute()
    const search = { lists: 'spaces' as const, spaces, text: query.query, page, urls, signal: leaving() }
    return answerMember(db, search, (findings) => {
      const titled = new Map(spaces.map((space) => [space.id, space]))
      return listSpacesFound(db, urls, { findings, titled }, page)
    })
  },
})

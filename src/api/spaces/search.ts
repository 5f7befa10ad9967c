import { Type } from 'typebox'
import { onSpace } from '../../access/on.ts'
import { listOf, ListQuery } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { InSpace } from '../../model/common.ts'
import { findPages } from '../../model/search/find.ts'
import { listPagesFound, SearchPage, SearchText } from '../../model/search/hit.ts'
import { searchedByMember } from '../../model/search/searched.ts'

export const searchSpaceContent = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/search',
  summary: 'Search the pages of the primary content of a space, best first',
  description:
    'Each page has its matching sections. A change is found within a second or two. Pages with `noIndex`, and the pages below them, are not found.',
  access: onSpace('read'),
  params: InSpace,
  query: Type.Object({ ...ListQuery.properties, query: SearchText }),
  returns: listOf(SearchPage),
  async handler({ db, urls, space, query, page, leaving }) {
    const findings = await findPages(
      db,
      [space.id],
      query.query,
      () => searchedByMember(db, space),
      leaving(),
    )
    return listPagesFound(db, urls, findings, page)
  },
})

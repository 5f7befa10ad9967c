import { Type } from 'typebox'
import { onSpace } from '../../access/checks/on.ts'
import { listOf, ListQuery } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import { InSpace } from '../../model/common.ts'
import { listPagesFound, SearchPage, SearchText } from '../../model/search/hit.ts'
import { answerMember } from '../../model/search/member-answers.ts'

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
  handler({ db, urls, space, query, page, leaving }) {
    const search = {
      lists: 'pages' as const,
      spaces: [space],
      text: query.query,
      page,
      urls,
      signal: leaving(),
    }
    return answerMember(db, search, (findings) => listPagesFound(db, urls, findings, page))
  },
})

import { onSpace } from '../../access/checks/on.ts'
import { LinksQuery, showingOf } from '../../shared-routes/links.ts'
import { route } from '../../http/route.ts'
import { InSpace } from '../../model/common.ts'
import { locationsIn } from '../../model/links/locations.ts'
import { linksOfRevision } from '../../model/links/link-index.ts'
import { LinkList, listLinks } from '../../model/links/link.ts'
import { seeAll } from '../../model/links/seen.ts'

export const listSpaceLinks = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/links',
  summary: 'List the links in the primary content of a space, by target',
  access: onSpace('read'),
  params: InSpace,
  query: LinksQuery,
  returns: LinkList,
  async handler(context) {
    const { db, urls, query, page } = context
    const showing = await showingOf(context)
    const seen = await seeAll(showing, await linksOfRevision(db, urls, showing.revision))
    return listLinks(db, locationsIn(showing), seen, page, {
      isShown: (_use, status) => query.status === undefined || status === query.status,
    })
  },
})

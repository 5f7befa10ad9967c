import { onSpace } from '../../access/on.ts'
import { LinksQuery, showingOf } from '../../shared-routes/links.ts'
import { route } from '../../http/route.ts'
import { InSpace } from '../../model/common.ts'
import { locationsIn } from '../../model/links/locations.ts'
import { linksOfRevision } from '../../model/links/link-index.ts'
import { LinkList, listLinks, seenUses } from '../../model/links/link.ts'

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
    const locations = locationsIn(showing)
    const all = await seenUses(locations, await linksOfRevision(db, urls, showing.revision))
    const shown = all.filter(({ status }) => query.status === undefined || status === query.status)
    return listLinks(locations, all, shown, page)
  },
})

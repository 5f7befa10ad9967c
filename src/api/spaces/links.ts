import { onSpace } from '../../access/on.ts'
import { LinksQuery, showingOf } from '../../families/links.ts'
import { route } from '../../http/route.ts'
import { InSpace } from '../../model/common.ts'
import { locationsIn } from '../../model/content-location.ts'
import { linksOfRevision } from '../../model/link-index.ts'
import { LinkList, listLinks, seenUses } from '../../model/link.ts'

export const listSpaceLinks = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/links',
  summary: 'The links of the primary content of a space, by where they lead',
  access: onSpace('read'),
  params: InSpace,
  query: LinksQuery,
  returns: LinkList,
  async handler(context) {
    const { db, at, query, page } = context
    const showing = await showingOf(context)
    const locations = locationsIn(showing)
    const all = await seenUses(locations, await linksOfRevision(db, at, showing.revision))
    const shown = all.filter(({ status }) => query.status === undefined || status === query.status)
    return listLinks(locations, all, shown, page)
  },
})

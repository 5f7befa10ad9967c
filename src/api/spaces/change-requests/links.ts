import { Type } from 'typebox'
import { onChangeRequest } from '../../../access/checks/on-change-request.ts'
import { LinksQuery, showingOf } from '../../../shared-routes/links.ts'
import { route } from '../../../http/route.ts'
import { ancestorOf, InChangeRequest } from '../../../model/proposals/change-request.ts'
import { oneOf } from '../../../model/common.ts'
import { locationsIn } from '../../../model/links/locations.ts'
import { linksOfRevision } from '../../../model/links/link-index.ts'
import { LinkList, listLinks } from '../../../model/links/link.ts'
import { newlyBroken, seeAll } from '../../../model/links/seen.ts'
import { needRevision } from '../../../model/content/commit.ts'

export const listChangeRequestLinks = route({
  method: 'GET',
  path: '/v1/spaces/:spaceId/change-requests/:changeRequestId/links',
  summary: 'List the links in the content of a change request, by target',
  description:
    '`brokenContext` returns only broken links: those that the change request broke, or those that were broken before.',
  access: onChangeRequest('read'),
  params: InChangeRequest,
  query: Type.Object({
    ...LinksQuery.properties,
    brokenContext: Type.Optional(oneOf(['change-request', 'space'])),
  }),
  returns: LinkList,
  async handler(context) {
    const { db, urls, space, changeRequest, query, page } = context
    const showing = await showingOf(context)
    const base = await needRevision(db, space.id, ancestorOf(changeRequest))
    const before = await seeAll(showing, await linksOfRevision(db, urls, base))
    const seen = await seeAll(showing, await linksOfRevision(db, urls, showing.revision))
    const brokenHere = await newlyBroken(before, seen)
    return listLinks(db, locationsIn(showing), seen, page, {
      brokenHere,
      isShown(use, status) {
        if (query.status !== undefined && status !== query.status) return false
        if (query.brokenContext === undefined) return true
        return status === 'broken' && brokenHere.has(use) === (query.brokenContext === 'change-request')
      },
    })
  },
})

import { Type } from 'typebox'
import { onPublishedSite, onSite } from '../../../access/checks/on-site.ts'
import { clientOf } from '../../../http/limits/networks.ts'
import { route } from '../../../http/route.ts'
import { InSite } from '../../../model/common.ts'
import { InsightEvent, toInsights } from '../../../model/sites/insights/insight-event.ts'
import { InsightQuery, InsightResult, queryInsights } from '../../../model/sites/insights/insight-query.ts'

export const trackEventsInSiteById = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/insights/events',
  summary: 'Report what visitors did on a published site',
  description:
    'Lectern stores no personal data of visitors: no IP address, and only hashes of identifiers. The secret of these hashes is deleted at the end of the day. The server stores events within 10 seconds. If a client sends more than 1,000 events a minute to a site, the server returns 429.',
  access: onPublishedSite(),
  params: InSite,
  body: Type.Object({ events: Type.Array(InsightEvent, { minItems: 1, maxItems: 100 }) }),
  audit: false,
  async handler({ tx, site, body, now, ip, insights }) {
    const siteSpaces = await tx
      .selectFrom('siteSpace')
      .select(['id', 'spaceId', 'sectionId'])
      .where('siteId', '=', site.id)
      .execute()
    const events = toInsights(body.events, { siteId: site.id, siteSpaces, ip, now })
    insights.note(site.id, events, clientOf(ip), now)
  },
})

export const aggregateSiteEvents = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/sites/:siteId/insights/events/aggregate',
  summary: 'Count the events of a site, by column',
  description:
    'The response has the values of each selected column, one for each group. Without `groupBy`, events are grouped by the selected columns that are not counted.',
  access: onSite('read'),
  params: InSite,
  body: InsightQuery,
  returns: InsightResult,
  audit: false,
  reads: true,
  // Outside the transaction, because other writes would wait for it.
  async prepare({ db, organization, site, body, now, insights, urls }) {
    await insights.flush()
    const home = urls.site(site, organization.hostname)
    return queryInsights(db, { id: site.id, home }, body, now)
  },
  async handler({ prepared }) {
    return prepared
  },
})

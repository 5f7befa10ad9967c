import { Type } from 'typebox'
import { notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { InSite, ShareKeyQuery } from '../../../model/common.ts'
import { hiddenUrls } from '../../../model/sites/published/content/hidden-urls.ts'
import { onReadableSite } from '../../../model/sites/published/on-reader.ts'
import { urlOfRedirect } from '../../../model/sites/redirects/place-redirect.ts'
import {
  redirectsOfSite,
  SiteRedirect,
  sourcePattern,
  toSiteRedirect,
} from '../../../model/sites/redirects/site-redirect.ts'
import { loadStructure } from '../../../model/sites/structure/structure.ts'

export const getSiteRedirectBySource = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/sites/:siteId/redirect',
  summary: 'Get the redirect of a site that a path matches',
  description:
    'A redirect from exactly this path has precedence over wildcards, and a longer wildcard over a shorter one. The response is 404 if no redirect matches, or if the destination does not exist any more or is hidden from the caller.',
  access: onReadableSite(),
  readers: true,
  params: InSite,
  query: Type.Object({
    source: Type.String({ ...sourcePattern, description: 'A path within the site, such as `/old/page`' }),
    ...ShareKeyQuery,
  }),
  returns: Type.Object({
    redirect: SiteRedirect,
    target: Type.String({ description: 'The URL of the destination' }),
  }),
  async handler({ db, site, query, ...seen }) {
    const table = await redirectsOfSite(db, site, { drafts: seen.reading?.visit.preview !== undefined })
    const match = table.exact(query.source) ?? table.wildcard(query.source)
    if (!match) throw notFound('redirect')
    const structure = await loadStructure(db, site, seen)
    const address = structure.address ?? seen.urls.site(site, seen.organization.hostname)
    const target = await urlOfRedirect({ db, structure, address }, match)
    if (target === undefined) throw notFound('redirect')
    if (seen.reading && (await hiddenUrls({ db, urls: seen.urls }, seen.reading, [target])).has(target))
      throw notFound('redirect')
    return { redirect: toSiteRedirect(match.rule), target }
  },
})

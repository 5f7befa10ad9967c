/** A valid request for every operation on sites. */
import { inOrg, type Make, withBody } from './makers.ts'
import { permissions } from './permission-calls.ts'
import type { Things } from './things.ts'

export const site: Make = async (t) => ({ params: { ...inOrg(t), siteId: await t.site() } })

type Made = Awaited<ReturnType<Things['siteStructure']>>

/** A request for a site with two sections in a group, and a third one. */
const inStructure =
  (body?: (made: Made, t: Things) => unknown): Make =>
  async (t) => {
    const made = await t.siteStructure()
    return { params: { ...inOrg(t), ...made.params }, ...(body ? { body: await body(made, t) } : {}) }
  }

/** A request for each form of pointer, before and after. */
const moves = (
  pointers: (made: Made) => object[],
  body: (position: object, made: Made) => unknown = (position) => ({ position }),
): Make[] =>
  ['before', 'after'].flatMap((side) =>
    [0, 1, 2].map((i): Make => async (t, caller) => {
      const call = await inStructure((made) => {
        const pointer = pointers(made)[i] ?? pointers(made)[0]
        return body({ [side]: pointer }, made)
      })(t, caller)
      return call
    }),
  )

const section = (siteSection: string) => ({ type: 'site-section', siteSection })
const item = (id: string) => ({ type: 'site-section', id })
const siteSpace = (id: string) => ({ type: 'site-space', siteSpace: id })

const EVENT = {
  type: 'page_view',
  session: { visitorId: '', sessionId: '', cookies: {}, userAgent: '', language: null, referrer: null },
  location: {
    url: 'https://docs.example.com/start',
    siteSection: null,
    siteSpace: null,
    siteShareKey: null,
    space: null,
    revision: null,
    page: null,
  },
}

type Redirected = Awaited<ReturnType<Things['siteWithRedirect']>>

/** A request for a site with a redirect. */
const redirected =
  (more: (made: Redirected) => object = () => ({})): Make =>
  async (t) => {
    const made = await t.siteWithRedirect()
    return { params: { ...inOrg(t), ...made.params }, ...more(made) }
  }

/** A request for each kind of destination within the site. */
const destined = (body: (destination: object) => unknown): Make[] => [
  redirected(({ siteSpaceId }) => ({ body: body({ kind: 'site-space', siteSpaceId }) })),
  redirected(({ siteSpaceId, pageId }) => ({ body: body({ kind: 'site-page', siteSpaceId, pageId }) })),
  inStructure(({ ids }) => body({ kind: 'site-section', siteSectionId: ids.second })),
]

/** A request for the host name that a site claims. */
const claimed: Make = async (t) => ({ params: { hostname: await t.claimedHostname() } })

/** A request for an MCP server that a site names. */
const mcpServer: Make = async (t) => {
  const siteId = await t.site()
  return { params: { ...inOrg(t), siteId, siteMcpServerId: await t.mcpServerOf(siteId) } }
}

export const SITE_CALLS: Record<string, Make | Make[]> = {
  createSite: async (t) => ({ params: inOrg(t), body: { spaces: [await t.space()] } }),
  getSiteById: site,
  updateSiteById: [
    async (t) => {
      const siteId = await t.site()
      return { params: { ...inOrg(t), siteId }, body: { defaultSiteSpace: await t.siteSpaceOf(siteId) } }
    },
    inStructure(({ ids }) => ({ defaultSiteSection: ids.other })),
  ],
  deleteSiteById: site,
  publishSite: site,
  unpublishSite: site,
  getPublishedContentSite: site,
  trackEventsInSiteById: async (t) => {
    const siteId = await t.publishedSite()
    return { params: { ...inOrg(t), siteId }, body: { events: [EVENT] } }
  },
  searchSiteContent: [
    withBody(site, { query: 'word' }),
    inStructure(({ params, ids }) => ({
      query: 'word',
      scope: { mode: 'specific', siteSpaceIds: [params.siteSpaceId, ids.beside] },
    })),
    inStructure(({ ids }) => ({ query: 'word', scope: { mode: 'default', currentSiteSpace: ids.beside } })),
    inStructure(({ ids }) => ({ query: 'word', mode: 'specific', siteSpaceIds: [ids.beside] })),
    inStructure(({ ids }) => ({ query: 'word', mode: 'current', siteSpaceId: ids.beside })),
  ],
  aggregateSiteEvents: withBody(site, { select: [{ column: 'eventsCount' }], range: 'last7Days' }),

  getSiteStructure: inStructure(),
  // Each form of pointer names an item on the level of the one that moves.
  sortSiteStructure: moves(
    ({ ids }) => [item(ids.second), section(ids.second), siteSpace(ids.beside)],
    (position, { params }) => {
      const [pointer] = Object.values(position) as { type: string }[]
      const { type } = pointer ?? { type: '' }
      const id = type === 'site-space' ? params.siteSpaceId : params.siteSectionId
      return { item: { type, id }, position }
    },
  ),
  listSiteSections: inStructure(),
  addSectionToSite: async (t) => ({
    params: { ...inOrg(t), siteId: await t.site() },
    body: { spaceId: await t.space() },
  }),
  getSiteSectionById: inStructure(),
  updateSiteSectionById: inStructure(({ params }) => ({ defaultSiteSpace: params.siteSpaceId })),
  deleteSiteSectionById: inStructure(),
  moveSiteSection: moves(({ ids }) => [section(ids.second), item(ids.second)]),
  listSiteSectionGroups: inStructure(),
  addSectionGroupToSite: inStructure(({ params, ids }) => ({
    title: 'Another',
    sections: [ids.other],
    parent: params.siteSectionGroupId,
  })),
  getSiteSectionGroupById: inStructure(),
  updateSiteSectionGroupById: withBody(inStructure(), { title: 'Renamed' }),
  deleteSiteSectionGroupById: inStructure(),
  addSectionToGroup: inStructure(({ ids }) => ({ sectionId: ids.other })),
  removeSectionFromGroup: inStructure(),
  moveSiteSectionGroup: moves(({ ids }) => [item(ids.other)]),
  listSiteExternalLinks: inStructure(),
  addExternalLinkToSite: inStructure(({ params }) => ({
    title: 'Status',
    url: 'https://status.example.com/',
    parent: params.siteSectionGroupId,
  })),
  getSiteExternalLinkById: inStructure(),
  updateSiteExternalLinkById: inStructure(({ params }) => ({
    title: 'Renamed',
    parent: params.siteSectionGroupId,
  })),
  deleteSiteExternalLinkById: inStructure(),
  listSiteMcpServers: site,
  createSiteMcpServer: withBody(site, {
    name: 'Status',
    url: 'https://mcp.example.com/',
    headers: { authorization: 'Bearer x' },
  }),
  getSiteMcpServerById: mcpServer,
  updateSiteMcpServerById: withBody(mcpServer, { name: 'Renamed', headers: {} }),
  deleteSiteMcpServerById: mcpServer,
  listSiteSpaces: inStructure(),
  addSpaceToSite: inStructure(async ({ ids }, t) => ({ spaceId: await t.space(), sectionId: ids.second })),
  getSiteSpaceById: inStructure(),
  // The copy is at the top level of the organization.
  duplicateSiteSpace: async (t, caller) => ({
    ...(await inStructure()(t, caller)),
    body: { draft: true },
    asks: 'organization: create',
  }),
  updateSiteSpaceById: inStructure(async (_made, t) => ({ spaceId: await t.space() })),
  deleteSiteSpaceById: inStructure(),
  getCustomHostname: claimed,
  dnsRevalidateCustomHostname: claimed,
  removeCustomHostname: claimed,
  getSubdomain: async (t) => ({ params: { subdomain: await t.hostname() } }),
  ...permissions('sites', 'Site', async (t) => ({ ...inOrg(t), siteId: await t.site() })),
  listPermissionsAggregateInSite: async (t) => ({
    params: { ...inOrg(t), siteId: await t.site() },
    query: { team: await t.team() },
  }),
  listSiteRedirects: site,
  createSiteRedirect: destined((destination) => ({ source: '/from', destination })),
  updateSiteRedirects: destined((destination) => ({ redirects: [{ source: '/from', destination }] })),
  getSiteRedirectById: redirected(),
  updateSiteRedirectById: [
    ...destined((destination) => ({ source: '/from', destination })).slice(0, 2),
    async (t) => {
      const { params, ids } = await t.siteStructure()
      const destination = { kind: 'site-section', siteSectionId: ids.second }
      const siteRedirectId = await t.redirectOf(params.siteId)
      return { params: { ...inOrg(t), ...params, siteRedirectId }, body: { destination } }
    },
  ],
  deleteSiteRedirectById: redirected(),
  getSiteRedirectBySource: redirected(() => ({ query: { source: '/old' } })),
  moveSiteSpace: moves(({ ids }) => [siteSpace(ids.beside)]),
}

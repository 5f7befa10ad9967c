/** What holds for every list and every path of the API, in an organization that has several of each resource. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillLists, ITEMS } from './full-organization.ts'
import { loadRoutes, type NamedRoute } from '../src/server/routes.ts'
import { createWorld } from './world.ts'

// With a mail server, invitations are sent and not returned, so that they can be undelivered.
const world = await createWorld({}, { mail: { configured: true, send: async () => undefined } })
const { ada } = world
const ids = await fillLists(world)

const routes = await loadRoutes()
const lists = routes.filter(({ route }) => {
  const query: { properties?: object } | undefined = route.query
  return query?.properties && 'page' in query.properties && 'limit' in query.properties
})

/** What a list needs besides the ids in its path. */
const ASKED: Record<string, { query?: string; body?: object }> = {
  searchSpaceContent: { query: 'query=words' },
  // All events are more than one response lists.
  listAuditEvents: { query: `actor=${ids.userId}` },
  searchOrganizationContent: { query: 'query=words' },
  searchSiteContent: { body: { query: 'words', scope: { mode: 'all' } } },
}

interface List {
  items: unknown[]
  count?: number
  next?: { page: string }
}

/** The path of a route, with the ids of the organization but for those that are given. */
function pathOf({ route }: NamedRoute, given: Record<string, string> = {}): string {
  const isProposed = route.path.includes('/:changeRequestId/')
  const params: Record<string, string | undefined> = {
    ...ids,
    ...(isProposed ? { commentId: ids.changeCommentId } : {}),
    ...given,
  }
  return route.path.replace(/:(\w+)/g, (_, param: string) => params[param] ?? 'nothing')
}

async function read(list: NamedRoute, query: string): Promise<List> {
  const { route, name } = list
  const { query: more, body } = ASKED[name] ?? {}
  const path = pathOf(list)
  const queries = [more, query].filter((part) => part !== undefined && part !== '').join('&')
  const answer = await ada(`${route.method} ${path}?${queries}`, body)
  assert.equal(answer.status, 200, `${name}: ${answer.text}`)
  return answer.body
}

/** All items of a list, read so many at once. No page of results but the last has fewer. */
async function walk(list: NamedRoute, limit: number): Promise<unknown[]> {
  const items: unknown[] = []
  for (let next = ''; ;) {
    const page = await read(list, `limit=${limit}${next}`)
    items.push(...page.items)
    if (page.count !== undefined) {
      const expected = Math.min(limit, page.count - items.length + page.items.length)
      assert.equal(page.items.length, expected, `${list.name} by ${limit}`)
      assert.equal(page.next === undefined, items.length === page.count, `${list.name} by ${limit}`)
    }
    if (!page.next) return items
    next = `&page=${encodeURIComponent(page.next.page)}`
  }
}

for (const list of lists) {
  test(`${list.name}: its pages of one, two and three items are the whole list`, async () => {
    const whole = await read(list, 'limit=100')
    assert(whole.items.length >= ITEMS, `${whole.items.length} items`)
    assert.equal(whole.next, undefined)
    if (whole.count !== undefined) assert.equal(whole.count, whole.items.length)
    for (const limit of [1, 2, 3]) assert.deepEqual(await walk(list, limit), whole.items, `by ${limit}`)
  })
}

/** What a parameter of a path names, in the words of a 404. */
const KINDS: Record<string, string | string[]> = {
  documentId: 'document',
  organizationId: 'organization',
  collectionId: 'collection',
  placeId: 'space, collection or site',
  spaceId: 'space',
  siteId: 'site',
  siteSectionId: 'site section',
  siteSectionGroupId: 'site section group',
  siteExternalLinkId: 'external link',
  siteSpaceId: 'site space',
  siteRedirectId: 'redirect',
  shareLinkId: 'share link',
  siteMcpServerId: 'MCP server',
  hostname: 'host name',
  subdomain: 'organization',
  revisionId: 'revision',
  changeRequestId: 'change request',
  conflictId: 'conflict',
  reviewId: 'review',
  commentId: 'comment',
  commentReplyId: 'reply',
  pageId: 'page',
  pagePath: 'page',
  fileId: 'file',
  reusableContentId: 'reusable content',
  hash: 'file',
  teamId: 'team',
  inviteId: 'invitation',
  fieldName: 'custom field',
  fontId: 'font',
  translationSettingsId: 'translation',
  glossaryEntryId: 'glossary entry',
  pageTemplateId: 'page template',
  samlProviderId: 'identity provider',
  oidcProviderId: 'identity provider',
  specSlug: 'specification',
  versionId: 'version',
  auditEventId: 'audit event',
  notificationId: 'notification',
  passkeyId: 'passkey',
  jobId: 'job',
  tokenId: ['token', 'SCIM token'],
  userId: ['user', 'member'],
}

test('a 404 names the kind of what is missing', async () => {
  const unnamed: string[] = []
  let named = 0
  for (const one of routes.filter(({ route }) => route.method === 'GET')) {
    const params = [...one.route.path.matchAll(/:(\w+)/g)].map(([, param = '']) => param)
    for (const [i, param] of params.entries()) {
      const path = pathOf(one, { [param]: 'nothing' })
      const { status, body } = await ada(`GET ${path}`)
      if (status !== 404) continue
      // Without what contains it, a thing is not there either.
      const kinds = params.slice(i).flatMap((name) => KINDS[name] ?? [])
      const kind = /^The (.+) does not exist, or you cannot see it$/.exec(body.error.message)?.[1]
      if (kind !== undefined && kinds.includes(kind)) named += 1
      else unnamed.push(`${one.name} ${param}: ${body.error.message}`)
    }
  }
  assert.deepEqual(unnamed, [])
  assert(named > 150, `${named} answers`)
})

/** Every list of the API, walked page by page, is the list read at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillLists, ITEMS } from './full-lists.ts'
import { loadRoutes, type NamedRoute } from '../src/routes.ts'
import { createWorld } from './world.ts'

const world = await createWorld()
const { ada } = world
const ids = await fillLists(world)

const lists = (await loadRoutes()).filter(({ route }) => {
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

async function read({ route, name }: NamedRoute, query: string): Promise<List> {
  const { query: more, body } = ASKED[name] ?? {}
  const isProposed = route.path.includes('/:changeRequestId/')
  const params: Record<string, string | undefined> = isProposed
    ? { ...ids, commentId: ids.changeCommentId }
    : ids
  const path = route.path.replace(/:(\w+)/g, (_, param: string) => params[param] ?? 'nothing')
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

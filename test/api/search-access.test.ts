/** No query by any caller, on any surface of search, finds a page that `GET` refuses to the same caller. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { archiveOf, importArchive, publish } from '../importing.ts'
import { holds } from '../property.ts'
import { indexed } from '../search/indexing.ts'
import { jwt } from '../sites/reading.ts'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId, nobody } = world
const org = `/v1/orgs/${organizationId}`

const IF = (plan: string) => `{% if visitor.claims.plan == "${plan}" %}`

/** Every page has the word "common"; each part of a page has a word of its own. */
const FILES: Record<string, string> = {
  'README.md': '# Start\n\ncommon open\n',
  'pro.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Pro\n\ncommon propage\n',
  'below.md': '# Below\n\ncommon belowpro\n',
  'parts.md': `# Parts\n\ncommon\n\n${IF('pro')}\n\npropart\n\n{% endif %}\n\n${IF('free')}\n\nfreepart\n\n{% endif %}\n`,
  'hidden.md': '---\nhidden: true\n---\n\n# Hidden\n\ncommon hiddenpage\n',
  'unindexed.md': '---\nnoIndex: true\n---\n\n# Unindexed\n\ncommon unindexedpage\n',
  'deep.md': '# Deep\n\ncommon deeppage\n',
  'SUMMARY.md':
    '# Summary\n\n* [Start](README.md)\n* [Pro](pro.md)\n  * [Below](below.md)\n* [Parts](parts.md)\n* [Hidden](hidden.md)\n* [Unindexed](unindexed.md)\n  * [Deep](deep.md)\n',
}
const QUERIES = [
  'common',
  'propage',
  'belowpro',
  'propart',
  'freepart',
  'hiddenpage',
  'unindexedpage',
  'deeppage',
  '"common"',
  'comm -open',
  'propagee',
]

interface Published {
  spaceId: string
  at: string
  base: string
  key: string
}

const collection = (await ada(`POST ${org}/collections`, { title: 'A' })).body.id as string
const spaces: string[] = []
const sites: Published[] = []
for (const title of ['One', 'Two', 'Three']) {
  const parent = title === 'Two' ? collection : undefined
  const { body } = await ada(`POST ${org}/spaces`, { title, ...(parent ? { parent } : {}) })
  spaces.push(body.id)
  assert.equal((await importArchive(world, body.id, archiveOf(FILES))).status, 201)
  const { siteId, address } = await publish(world, body.id, title)
  const at = `${org}/sites/${siteId}`
  const jsonSchema = {
    type: 'object',
    properties: { plan: { type: 'string', enum: ['free', 'pro'], description: 'The plan' } },
    additionalProperties: false,
  }
  assert((await ada(`PUT ${at}/adaptive-schema`, { jsonSchema })).status < 300)
  assert((await ada(`PATCH ${at}`, { adaptiveContent: { enabled: true } })).status < 300)
  const { privateKey } = (await ada(`GET ${at}/publishing/auth`)).body
  sites.push({ spaceId: body.id, at, base: `/sites/docs${new URL(address).pathname}`, key: privateKey })
}
const people: Person[] = [
  ada,
  await world.person('search-creator', 'create'),
  await world.person('search-reader', 'read'),
  await world.person('search-guest', null),
  await world.stranger('Search stranger'),
]
const claims = [undefined, { plan: 'free' }, { plan: 'pro' }]

interface HitPage {
  id: string
  sections: { body: string }[]
}

async function pageOf(person: Person, spaceId: string, { id }: HitPage): Promise<void> {
  const { status } = await person(`GET /v1/spaces/${spaceId}/content/page/${id}`)
  assert.equal(status, 200, `${person.id} finds the page ${id} of ${spaceId}, but gets ${status}`)
}

async function checkMember(person: Person, query: string): Promise<void> {
  const q = encodeURIComponent(query)
  const all = await person(`GET ${org}/search?query=${q}`)
  if (all.status === 200) {
    assert.equal(all.body.count, all.body.items.length)
    for (const { id, pages } of all.body.items) for (const page of pages) await pageOf(person, id, page)
  } else assert.equal(all.status, 404)
  for (const spaceId of spaces) {
    const allowed = (await person(`GET /v1/spaces/${spaceId}`)).status
    const { status, body } = await person(`GET /v1/spaces/${spaceId}/search?query=${q}`)
    assert.equal(status, allowed)
    if (status !== 200) continue
    assert.equal(body.count, body.items.length)
    for (const page of body.items) await pageOf(person, spaceId, page)
  }
}

/** The results that a surface shows: the addresses of pages, and all text. */
interface Shown {
  addresses: string[]
  text: string
}

type Headers = Record<string, string>

/** The surfaces of a site on which its visitors search; undefined where the site refuses them. */
const SURFACES: Record<
  string,
  (site: Published, query: string, headers: Headers) => Promise<Shown | undefined>
> = {
  page: ({ base }, query, headers) => shownAt(`${base}~/search?q=${encodeURIComponent(query)}`, headers),
  list: ({ base }, query, headers) => shownAt(`${base}~/search?q=${encodeURIComponent(query)}&list`, headers),
  async models({ base }, query, headers) {
    // A client may make 120 calls a minute.
    world.clock.now = new Date((world.clock.now?.getTime() ?? Date.now()) + 600)
    const call = { name: 'search_pages', arguments: { query } }
    const answer = await nobody(
      `POST ${base}~mcp`,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
      { accept: 'application/json, text/event-stream', ...headers },
    )
    if (answer.status !== 200) return undefined
    const { text } = answer.body.result.content[0]
    const { pages } = JSON.parse(text) as { pages: { url: string }[] }
    return { addresses: pages.map(({ url }) => `/sites/docs${new URL(url).pathname}`), text }
  },
}

async function shownAt(address: string, headers: Headers): Promise<Shown | undefined> {
  const { status, text } = await nobody(`GET ${address}`, undefined, headers)
  if (status !== 200) return undefined
  // The note of the list repeats the query.
  const results = address.endsWith('&list')
    ? text.replace(/data-note="[^"]*"/, '')
    : (text.split('class="found"')[1] ?? '')
  const addresses = [...results.matchAll(/href="([^"#?]+)/g)].map(([, one = '']) => one)
  return { addresses, text: results.replace(/<\/?mark>/g, '') }
}

/** The pages that a search shows to a visitor are those that the site shows them, and no text is one that they do not see. */
async function checkVisitor(site: Published, plan: object | undefined, query: string): Promise<void> {
  const { base, key } = site
  const headers: Headers = plan ? { authorization: `Bearer ${jwt(key, plan)}` } : {}
  const home = await nobody(`GET ${base}`, undefined, headers)
  for (const [surface, search] of Object.entries(SURFACES)) {
    const shown = await search(site, query, headers)
    assert.equal(shown !== undefined, home.status === 200, `${surface}: ${home.status}`)
    if (!shown) continue
    for (const address of new Set(shown.addresses)) {
      if (!address.startsWith(base)) continue
      const page = await nobody(`GET ${address}`, undefined, headers)
      assert.equal(page.status, 200, `${surface}: ${address} for ${JSON.stringify(plan)}`)
      const words = new Set(page.text.match(/[a-z]+(?:page|part|pro)\b/g))
      for (const word of shown.text.match(/\b(?:propart|freepart)\b/g) ?? [])
        assert(words.has(word), `${surface}: ${word} is found, but not shown, for ${JSON.stringify(plan)}`)
    }
    assert.doesNotMatch(shown.text, /hiddenpage|unindexedpage|deeppage/, surface)
  }
}

/** The site search of the API shows what its caller can read, or what strangers see of the site. */
async function checkSite({ at, base, spaceId }: Published, person: Person, query: string): Promise<void> {
  const { status, body } = await person(`POST ${at}/search`, { query, mode: 'all' })
  if (status !== 200) return assert.equal(status, 404)
  for (const { pages } of body.items) {
    for (const page of pages) {
      const own = await person(`GET /v1/spaces/${spaceId}/content/page/${page.id}`)
      if (own.status === 200) continue
      const address = page.path === 'readme' || page.path === 'start' ? base : base + page.path
      assert.equal((await nobody(`GET ${address}`)).status, 200, `${person.id}: ${page.path}`)
      assert.doesNotMatch(JSON.stringify(page), /propart|freepart/)
    }
  }
}

const space = fc.constantFrom(...spaces)
const change = fc.oneof(
  fc.record({ kind: fc.constant('level' as const), space, level: fc.constantFrom('read', 'inherit', null) }),
  fc.record({ kind: fc.constant('collection' as const), level: fc.constantFrom('read', null) }),
  fc.record({ kind: fc.constant('grant' as const), space, role: fc.constantFrom('read', 'admin') }),
  fc.record({ kind: fc.constant('trash' as const), space }),
  fc.record({ kind: fc.constant('restore' as const), space }),
  fc.record({
    kind: fc.constant('visibility' as const),
    site: fc.nat(sites.length - 1),
    visibility: fc.constantFrom('public', 'unlisted', 'share-link', 'visitor-auth'),
  }),
)

test('no search finds what GET refuses, whatever was changed before', async () => {
  await indexed(world)
  const one = fc.tuple(
    fc.array(change, { maxLength: 3 }),
    fc.nat(people.length - 1),
    fc.nat(claims.length - 1),
    fc.nat(sites.length - 1),
    fc.constantFrom(...QUERIES),
  )
  await holds(
    fc.asyncProperty(one, async ([changes, who, plan, at, query]) => {
      for (const made of changes) {
        if (made.kind === 'level') await ada(`PATCH /v1/spaces/${made.space}`, { defaultLevel: made.level })
        if (made.kind === 'collection')
          await ada(`PATCH /v1/collections/${collection}`, { defaultLevel: made.level })
        if (made.kind === 'grant')
          await ada(`POST /v1/spaces/${made.space}/permissions`, { users: [people[3]!.id], role: made.role })
        if (made.kind === 'trash') await ada(`DELETE /v1/spaces/${made.space}`)
        if (made.kind === 'restore') await ada(`POST /v1/spaces/${made.space}/restore`)
        if (made.kind === 'visibility')
          await ada(`PATCH ${sites[made.site]!.at}`, { visibility: made.visibility })
      }
      await checkMember(people[who]!, query)
      await checkVisitor(sites[at]!, claims[plan], query)
      await checkSite(sites[at]!, people[who]!, query)
    }),
    { cases: 1000 },
  )
})

test('each caller finds something, so that the property is not empty', async () => {
  for (const id of spaces) await ada(`POST /v1/spaces/${id}/restore`)
  for (const id of spaces) await ada(`PATCH /v1/spaces/${id}`, { defaultLevel: 'read' })
  for (const { at } of sites) await ada(`PATCH ${at}`, { visibility: 'public' })
  const { body } = await people[2]!(`GET ${org}/search?query=common`)
  assert.equal(body.count, spaces.length)
  const titles = body.items[0].pages.map(({ title }: { title: string }) => title)
  assert.deepEqual(titles.toSorted(), ['Below', 'Hidden', 'Parts', 'Pro', 'Start'])
  const pro = { authorization: `Bearer ${jwt(sites[0]!.key, { plan: 'pro' })}` }
  const found = async (query: string, headers: Record<string, string> = {}) =>
    /Results: (\d+)/.exec(
      (await nobody(`GET ${sites[0]!.base}~/search?q=${query}&list`, undefined, headers)).text,
    )?.[1]
  assert.equal(await found('common'), '2')
  assert.equal(await found('common', pro), '4')
  assert.equal(await found('propart', pro), '1')
  assert.equal(await found('propart'), undefined)
  for (const [surface, search] of Object.entries(SURFACES))
    assert.equal(new Set((await search(sites[0]!, 'common', pro))?.addresses).size, 4, surface)
})

/** What a site token reads beyond pages: the specifications, users, reusable contents and changes that the site shows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'
import { jwt } from './reading.ts'
import { pro, siteForRenderer, tokenCaller } from './renderer-site.ts'

const world = await createWorld()
const { ada, organizationId } = world
const site = await siteForRenderer(world, 'Shop')
const everyone = await tokenCaller(world, site.address)
const member = await tokenCaller(world, site.address, { jwtToken: jwt(site.privateKey, pro) })
const space = `/v1/spaces/${site.spaceId}`
const preview = await tokenCaller(world, (await ada(`GET ${site.at}/publishing/preview`)).body.url)

const READERS = { everyone, member }

interface Read {
  what: string
  request: string
  everyone: RegExp | 404
  member: RegExp | 404
  /** What neither reader sees in the response. */
  never?: RegExp
}

const openapi = (slug: string, version = 'latest') =>
  `GET /v1/orgs/${organizationId}/openapi/${slug}/versions/${version}/content`
const { lastVersion } = (await ada(`GET /v1/orgs/${organizationId}/openapi/shop`)).body
const reusable = (title: string) =>
  `GET ${space}/revisions/${site.revision}/reusable-contents/${site.reusables[title]}/document`

const table: Read[] = [
  {
    what: 'the operations that pages show',
    request: openapi('shop'),
    everyone: /"\/orders"(?!.*(?:Refund|Block))/s,
    member: /"\/orders".*"\/refunds"|"\/refunds".*"\/orders"/s,
    never: /Admin|INFO|signature=/,
  },
  { what: 'a block under a condition', request: openapi('shop'), everyone: /Line/, member: /"\/blocks"/ },
  { what: 'the newest version', request: openapi('shop', lastVersion), everyone: /"X-K"/, member: /"X-K"/ },
  { what: 'a specification with pages', request: openapi('pages'), everyone: /\/admin/, member: /Refund/ },
  { what: 'a specification on no page', request: openapi('unused'), everyone: 404, member: 404 },
  { what: 'no specification', request: openapi('nothing'), everyone: 404, member: 404 },
  {
    what: 'a user',
    request: `GET /v1/users/${site.people.mentioned.id}`,
    everyone: /mentioned/,
    member: /mentioned/,
    never: /"email"/,
  },
  {
    what: 'a user on a hidden page',
    request: `GET /v1/users/${site.people.hidden.id}`,
    everyone: 404,
    member: /hidden/,
  },
  {
    what: 'a user of another organization',
    request: `GET /v1/users/${site.people.unknown.id}`,
    everyone: 404,
    member: 404,
  },
  {
    what: 'a user whom no page mentions',
    request: `GET /v1/users/${site.people.silent.id}`,
    everyone: 404,
    member: 404,
  },
  {
    what: 'a reusable content',
    request: reusable('Note'),
    everyone: /for all(?!.*for some)/s,
    member: /for some/,
  },
  { what: 'one on a hidden page', request: reusable('Secret'), everyone: 404, member: /A secret note/ },
  { what: 'one under a condition', request: reusable('Block'), everyone: 404, member: /in a block/ },
  { what: 'one on no page', request: reusable('Loose'), everyone: 404, member: 404 },
  { what: 'changes', request: `GET ${space}/revisions/${site.revision}/changes`, everyone: 404, member: 404 },
]

for (const { what, request, never, ...expected } of table)
  test(`a site token reads what the site shows: ${what}`, async () => {
    for (const [name, read] of Object.entries(READERS)) {
      const { status, text } = await read(request)
      const wanted = expected[name as keyof typeof READERS]
      if (wanted === 404) assert.equal(status, 404, `${name}: ${text}`)
      else {
        assert.equal(status, 200, `${name}: ${text}`)
        assert.match(text, wanted, name)
        if (never) assert.doesNotMatch(text, never, name)
      }
    }
  })

test('a preview reads the changes of the pages that its reader sees', async () => {
  const { body: draft } = await ada(`POST ${space}/change-requests`, { subject: 'Change' })
  const at = `${space}/change-requests/${draft.id}`
  const pageOf = async (path: string) => (await ada(`GET ${space}/content/path/${path}?format=none`)).body.id
  const update = (page: string, fields: object) => ({ operation: 'update_page', page, ...fields })
  const changes = [
    { operation: 'insert_page', title: 'New', document: { markdown: 'New.' } },
    update(await pageOf('people'), { description: 'All of them' }),
    update(await pageOf('pro'), { description: 'SECRET' }),
    update(await pageOf('mixed'), { variables: { hidden: 'SECRET' } }),
  ]
  const updated = await ada(`POST ${at}/content`, { changes })
  assert(updated.status < 300, updated.text)
  const { revision } = (await ada(`GET ${at}`)).body

  for (const request of [`GET ${at}/changes`, `GET ${space}/revisions/${revision}/changes`]) {
    for (const read of Object.values(READERS)) assert.equal((await read(request)).status, 404, request)
    const { status, body, text } = await preview(`${request}?blocks=true&limit=50`)
    assert.equal(status, 200, text)
    const titles = (body.changes as { page?: { title: string } }[]).map(({ page }) => page?.title)
    assert.deepEqual(titles.toSorted(), ['New', 'People'], text)
  }
})

test('a site token computes the pages of a specification that its reader sees', async () => {
  const { pages } = (await everyone(`GET ${space}/content/pages`)).body
  const below = (some: Page[]): Page[] => some.flatMap((page) => [page, ...below(page.pages ?? [])])
  const page = below(pages).find(({ computed }) => computed)
  assert(page?.computed, 'a page of the specification')
  const { body: own } = await everyone(`GET ${space}/content/page/${page.id}/document`)
  const request = `POST ${space}/content/computed/document`
  const source = page.computed
  const computed = await everyone(request, { source, seed: page.computedSeed })
  assert.deepEqual([computed.status, computed.body], [200, own], computed.text)
  const otherPage = { ...source, props: { ...source.props, page: 'Other' } }
  const otherSpec = { ...source, dependencies: { spec: { ref: { kind: 'openapi', spec: 'unused' } } } }
  for (const [what, body] of Object.entries({
    'another page': { source: otherPage, seed: page.computedSeed },
    'another specification': { source: otherSpec, seed: page.computedSeed },
    'a page that is not computed': { source, seed: pages[0].id },
    'no page': { source, seed: 'nothing' },
  }))
    assert.equal((await everyone(request, body)).status, 404, what)
})

interface Page {
  id: string
  computed?: { props: object }
  computedSeed?: string
  pages?: Page[]
}

test('a page names the users whom it mentions, on the site and in the API', async () => {
  const { body: page } = await everyone(`GET ${space}/content/path/people`)
  const mentions = JSON.stringify(page.document)
  assert(mentions.includes(`{"kind":"user","user":"${site.people.mentioned.id}"}`), mentions)
  assert(!mentions.includes(site.people.unknown.id), 'a user of another organization')
  const { text } = await site.get('people')
  assert.match(text, /<span class="mention">Shop mentioned<\/span>/)
  assert.doesNotMatch(text, /Shop unknown/)
  assert.match((await site.get('people.md')).text, /Ask Shop mentioned or/)
})

/** Computed pages: the pages of a specification in the content of spaces, revisions and change requests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import { clientOf, judged } from '../client.ts'
import { computedEntry } from '../computed-entry.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const guest = await world.person('guest', null)

const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      get: { tags: ['Orders'], summary: 'List orders', responses: {} },
      post: { tags: ['Orders'], summary: 'Create an order', responses: {} },
    },
    '/carts': { get: { tags: ['Carts'], summary: 'List carts', responses: {} } },
  },
  components: { schemas: { Order: { properties: { total: { type: 'integer' } } } } },
}
const SUMMARY = `# Table of contents

* [Start](README.md)
${computedEntry('shop')}* [End](end.md)
`

async function putSpec(document: object, slug = 'shop') {
  await ada(`PUT /v1/orgs/${organizationId}/openapi/${slug}`, { source: { text: JSON.stringify(document) } })
  await processOpenApi(world.app.services, 60_000)({ organizationId } as never, {} as never)
  const { body } = await ada(`GET /v1/orgs/${organizationId}/openapi/${slug}`)
  assert.equal(body.processingState, 'complete')
  return body.lastVersion as string
}

interface SeenPage {
  id: string
  type: string
  title: string
  path?: string
  urls?: { app: string }
  computed?: { props: object; dependencies: { spec: { value: object | null } } }
  computedSeed?: string
  pages?: SeenPage[]
}
const archive = { 'SUMMARY.md': SUMMARY, 'README.md': '# Start\n', 'end.md': '# End\n' }
const { spaceId, revision } = await spaceWith(world, archiveOf(archive))
const content = `/v1/spaces/${spaceId}/content`
const ofRevision = `/v1/spaces/${spaceId}/revisions/${revision}`
const get = async (path: string) => {
  const answer = await ada(`GET ${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer
}
const pagesAt = async (path: string) => (await get(path)).body.pages as SeenPage[]
const titlesAt = async (path: string) => (await pagesAt(path)).map(({ title }) => title)
const FOLDED = ['Start', 'shop', 'End']

test('the pages of a specification are in the place of a computed page as of the newest version, everywhere', async () => {
  assert.deepEqual(await titlesAt(`${content}/pages`), FOLDED, 'there is no specification yet')
  const version = await putSpec(SHOP)
  const number = (await ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'x' })).body.number
  const bases = [content, ofRevision, `/v1/spaces/${spaceId}/change-requests/${number}/content`]
  for (const base of bases) {
    const expanded = ['Start', 'Orders', 'Carts', 'Models', 'End']
    assert.deepEqual(await titlesAt(`${base}/pages`), expanded)
    assert.deepEqual(await titlesAt(base), expanded)
    assert.deepEqual(await titlesAt(`${base}/pages?computed=false`), FOLDED)
    assert.deepEqual(await titlesAt(`${base}?computed=false`), FOLDED)

    const [, orders] = await pagesAt(`${base}/pages`)
    assert.ok(orders?.computed && orders.computedSeed)
    const here = { client: 'tab', page: orders.id }
    const { status } = await ada(`PUT ${base.replace(/\/content$|\/revisions\/.*/, '')}/presence`, here)
    assert.equal(status, 204, 'one can be present on such a page')
    assert.deepEqual([orders.type, orders.path], ['document', 'orders'])
    const { id, slug, ...rest } = orders.computed.dependencies.spec.value as { id: string; slug: string }
    assert.ok(id)
    assert.deepEqual([slug, rest], ['shop', { object: 'openapi-spec', lastVersion: version }])

    const byId = (await get(`${base}/page/${orders.id}?format=markdown`)).body
    assert.equal(byId.title, 'Orders')
    assert.match(byId.markdown, /## List orders\n[^]*\{% openapi-operation spec="shop" path="\/orders"/)
    assert.equal((await get(`${base}/path/orders`)).body.id, orders.id)
    const types = (await get(`${base}/page/${orders.id}`)).body.document.nodes.map(
      (node: { type: string }) => node.type,
    )
    assert.deepEqual(types, ['heading-2', 'openapi-operation', 'heading-2', 'openapi-operation'])
    const document = await get(`${base}/page/${orders.id}/document`)
    assert.equal(document.body.nodes.length, 4)
    assert.equal((await ada(`GET ${base}/page/${orders.id}?computed=false`)).status, 404)
    const [, folded] = await pagesAt(`${base}/pages?computed=false`)
    assert.equal((await get(`${base}/page/${folded!.id}`)).body.type, 'computed', 'it has its id still')
  }
})

test('what is computed in a revision is not cached for ever, and changes with the next request', async () => {
  const control = async (path: string) => (await get(path)).headers.get('cache-control')
  const [, orders] = await pagesAt(`${ofRevision}/pages`)
  for (const path of ['', '/pages', `/page/${orders!.id}`, `/page/${orders!.id}/document`])
    assert.equal(await control(ofRevision + path), 'private, no-cache', path)
  for (const path of ['/pages?computed=false', '/files'])
    assert.match((await control(ofRevision + path)) ?? '', /immutable/, path)

  const before = (await get(`${content}/pages`)).headers.get('etag')
  assert.equal((await get(`${content}/pages`)).headers.get('etag'), before)
  await putSpec({ ...SHOP, paths: { ...SHOP.paths, '/new': { get: { tags: ['New'] } } } })
  for (const base of [content, ofRevision])
    assert.deepEqual(await titlesAt(`${base}/pages`), ['Start', 'Orders', 'Carts', 'New', 'Models', 'End'])
  assert.notEqual((await get(`${content}/pages`)).headers.get('etag'), before)
  assert.equal((await pagesAt(`${content}/pages`))[1]?.id, orders?.id, 'a page keeps its id')
  await putSpec(SHOP)
})

test('clients compute the same pages and documents themselves', async () => {
  const call = judged(clientOf(world), 'spaces')
  await call('listPages', spaceId)
  const [, folded] = await pagesAt(`${content}/pages?computed=false`)
  const expanded = (await pagesAt(`${content}/pages`)).slice(1, -1)
  const source = folded!.computed as never
  const made = await call('getComputedRevision', spaceId, { source, seed: folded!.id })
  assert.deepEqual(
    made.pages.map(({ id, title }: SeenPage) => [id, title]),
    expanded.map(({ id, title }) => [id, title]),
  )
  assert.deepEqual([made.files, made.reusableContents], [[], []])
  const other = await call('getComputedRevision', spaceId, { source, seed: 'other' })
  assert.notEqual(other.pages[0]?.id, expanded[0]?.id)

  for (const { id, computed, computedSeed } of expanded) {
    const input = { source: computed as never, seed: computedSeed! }
    const document = await call('getComputedDocument', spaceId, input)
    assert.deepEqual(document, (await get(`${content}/page/${id}/document`)).body)
  }
})

test('sources are checked, and guests name no other specifications than those of the content', async () => {
  await putSpec({ ...SHOP, info: { title: 'Secret', version: '1' } }, 'secret')
  const invited = await ada(`POST /v1/spaces/${spaceId}/permissions`, {
    users: [guest.id],
    role: 'read',
  })
  assert.ok(invited.status < 300, invited.text)
  const of = (spec: string, props: object = {}, type = 'builtin:openapi') => ({
    source: { type, props, dependencies: { spec: { ref: { kind: 'openapi', spec } } } },
    seed: 'x',
  })
  const status = async (person: typeof ada, kind: string, body: object) =>
    (await person(`POST ${content}/computed/${kind}`, body)).status
  for (const [kind, props] of [
    ['revision', {}],
    ['document', { doc: 'models' }],
  ] as const) {
    assert.equal(await status(ada, kind, of('secret', props)), 200)
    assert.equal(await status(guest, kind, of('shop', props)), 200)
    assert.equal(await status(guest, kind, of('secret', props)), 400)
    assert.equal(await status(ada, kind, of('nothing', props)), 400)
    assert.equal(await status(ada, kind, of('shop', props, 'builtin:translation')), 400)
    assert.equal(await status(ada, kind, { source: { type: 'builtin:openapi', props }, seed: 'x' }), 400)
  }
  assert.equal(await status(ada, 'document', of('shop', { doc: 'operations' })), 400)
  assert.equal(await status(ada, 'document', of('shop', { doc: 'other' })), 400)
  const gone = await ada(`POST ${content}/computed/document`, of('shop', { doc: 'info', page: 'Gone' }))
  assert.deepEqual([gone.status, gone.body.object], [200, 'document'])
  assert.deepEqual(
    (await guest(`GET ${content}/pages`)).body.pages.map(({ title }: SeenPage) => title),
    ['Start', 'Orders', 'Carts', 'Models', 'End'],
  )
})

test('a batch changes no computed page, and says what to change instead', async () => {
  await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live' })
  const [start, orders] = await pagesAt(`${content}/pages`)
  for (const [field, change] of [
    ['page', { operation: 'update_page', page: orders!.id, title: 'Other' }],
    ['page', { operation: 'delete_page', page: orders!.id }],
    ['into', { operation: 'update_page', page: start!.id, into: orders!.id }],
    ['into', { operation: 'insert_page', document: { markdown: '# x' }, into: orders!.id }],
  ] as const) {
    const { status, body } = await ada(`POST ${content}`, { changes: [change] })
    assert.equal(status, 400)
    assert.equal(body.error.details[0].path, `body.changes.0.${field}`)
    assert.match(body.error.message, /is computed from an OpenAPI specification/)
  }
  const [, folded] = await pagesAt(`${content}/pages?computed=false`)
  const changes = [{ operation: 'update_page', page: folded!.id, title: 'The API' }]
  assert.equal((await ada(`POST ${content}`, { changes })).status, 200)
  assert.deepEqual(await titlesAt(`${content}/pages?computed=false`), ['Start', 'The API', 'End'])
})

test('links to the pages of a specification work, and break when an operation leaves it', async () => {
  const linking = (text: string) => archiveOf({ ...archive, 'README.md': `# Start\n\n${text}\n` })
  const here = await spaceWith(
    world,
    linking('[](/orders) [](/orders#list-orders) [](/orders#gone) [](/carts) [](/nothing)'),
  )
  const base = `/v1/spaces/${here.spaceId}`
  const [, orders, carts] = await pagesAt(`${base}/content/pages`)
  const { address } = await publish(world, here.spaceId, 'Shop')
  const urls = [carts!.urls!.app, `${address}carts`, `${address}carts#list-carts`, `${address}orders`]
  const other = await spaceWith(world, linking(urls.map((url) => `[](${url})`).join(' ')))
  const linksOf = async (id: string, status: string) => {
    const { items } = (await get(`/v1/spaces/${id}/links?status=${status}`)).body
    const places = (items as { locationReferences: { link?: { address: string } }[] }[]).flatMap(
      ({ locationReferences }) => locationReferences,
    )
    return places.flatMap(({ link }) => link?.address ?? []).toSorted()
  }

  assert.deepEqual(await linksOf(here.spaceId, 'broken'), ['/nothing', '/orders#gone'])
  assert.deepEqual(await linksOf(here.spaceId, 'ok'), [
    '/-/openapi/shop',
    '/carts',
    '/orders',
    '/orders#list-orders',
  ])
  assert.deepEqual(await linksOf(other.spaceId, 'broken'), [])
  const { items: from } = (await get(`${base}/content/page/${orders!.id}/backlinks`)).body
  assert.deepEqual([...new Set(from.map(({ page }: { page: SeenPage }) => page.title))], ['Start'])
  assert.equal((await get(`${base}/content/page/${orders!.id}/links`)).body.count, 0)
  const { document } = (await get(`${base}/content/path/readme`)).body
  assert.ok(JSON.stringify(document).includes(`{"kind":"page","page":"${orders!.id}"}`))

  const { '/orders': all } = SHOP.paths
  await putSpec({ ...SHOP, paths: { '/orders': { post: all.post } } })
  assert.deepEqual(await linksOf(here.spaceId, 'broken'), [
    '/carts',
    '/nothing',
    '/orders#gone',
    '/orders#list-orders',
  ])
  assert.deepEqual(await linksOf(other.spaceId, 'broken'), urls.slice(0, 3).toSorted())
  await putSpec(SHOP)
  assert.deepEqual(await linksOf(here.spaceId, 'broken'), ['/nothing', '/orders#gone'])
  assert.deepEqual(await linksOf(other.spaceId, 'broken'), [])
})

/** Search finds the text of the pages that computed pages stand for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import { indexAgain } from '../../src/model/search/space-index.ts'
import { computedEntry } from '../computed-entry.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { indexed } from './indexing.ts'

const world = await createWorld()
const { ada, organizationId } = world
const guest = await world.person('guest', null)
const specPath = `/v1/orgs/${organizationId}/openapi/shop`

const shopWith = (description: string) => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: description },
  paths: {
    '/orders/{orderId}': {
      get: {
        tags: ['Orders'],
        operationId: 'fetchOrderById',
        summary: 'Get an order',
        description,
        parameters: [
          { in: 'query', name: 'withGiftwrap', schema: { type: 'boolean' } },
          { $ref: '#/components/parameters/Cursor' },
        ],
        requestBody: { $ref: '#/components/requestBodies/Note' },
        responses: {
          200: {
            description: 'Fine',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Zeppelin' } } },
          },
        },
      },
    },
  },
  components: {
    parameters: {
      Cursor: { in: 'query', name: 'resumeAfter', description: 'Where a marmot stopped', schema: {} },
    },
    requestBodies: {
      Note: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Handwriting' } } } },
    },
    schemas: {
      Zeppelin: { properties: { hydrogenLevel: { type: 'integer' } } },
      Handwriting: { allOf: [{ $ref: '#/components/schemas/Ink' }], properties: { legibility: {} } },
      Ink: { properties: { pigment: { $ref: '#/components/schemas/Handwriting' } } },
    },
  },
})

async function putSpec(document: object, organization = organizationId) {
  const path = `/v1/orgs/${organization}/openapi/shop`
  await ada(`PUT ${path}`, { source: { text: JSON.stringify(document) } })
  await processOpenApi(world.app.services, 60_000)({ organizationId: organization } as never, {} as never)
}

const archive = {
  'SUMMARY.md': `# Table of contents\n\n* [Start](README.md)\n${computedEntry('shop')}`,
  'README.md': '# Start\n',
}
const { spaceId } = await spaceWith(world, archiveOf(archive))
await indexed(world)

interface Found {
  id: string
  title: string
  path: string
  urls: { app: string }
  sections: { id: string; title: string }[]
}
const inSpace = async (query: string, by = ada) => {
  const { status, body } = await by(`GET /v1/spaces/${spaceId}/search?query=${encodeURIComponent(query)}`)
  return status === 200 ? (body.items as Found[]) : status
}
const pathsOf = async (query: string) => ((await inSpace(query)) as Found[]).map(({ path }) => path)
const indexOf = () =>
  world.db.read
    .selectFrom('searchIndex')
    .innerJoin('searchEntry', 'searchEntry.number', 'searchIndex.number')
    .select('searchEntry.pageId')
    .where('spaceId', '=', spaceId)
    .execute()

test('a new specification is found in the spaces that name it, at the addresses of its pages', async () => {
  assert.deepEqual(await pathsOf('aardvark'), [])
  await putSpec(shopWith('Describes an aardvark'))
  await indexed(world)
  for (const query of ['aardvark', 'fetchOrderById', 'withGiftwrap', 'orderId'])
    assert.deepEqual(await pathsOf(query), ['orders'], query)
  assert.deepEqual(await pathsOf('hydrogenLevel'), ['models', 'orders'])
  assert.deepEqual((await pathsOf('Zeppelin')).toSorted(), ['models', 'orders'])

  const [found] = (await inSpace('aardvark')) as Found[]
  const got = await ada(`GET /v1/spaces/${spaceId}/content/page/${found!.id}`)
  assert.deepEqual(
    [got.body.path, got.body.title, got.body.urls.app],
    [found!.path, found!.title, found!.urls.app],
  )
  assert.deepEqual(
    found!.sections.map(({ id, title }) => [id, title]),
    [['get-an-order', 'Get an order']],
  )
  assert.equal(await inSpace('aardvark', guest), 404, 'who does not see the space finds nothing')

  const all = await ada(`GET /v1/orgs/${organizationId}/search?query=aardvark`)
  assert.deepEqual(
    all.body.items.map((space: { pages: Found[] }) => space.pages.map(({ path }) => path)),
    [['orders']],
  )
})

test('readers of a site find what its pages show them', async () => {
  const { siteId, address } = await publish(world, spaceId, 'Shop')
  const { body } = await ada(`POST /v1/orgs/${organizationId}/sites/${siteId}/search`, { query: 'aardvark' })
  assert.match(JSON.stringify(body), /"path":"orders"/)

  const at = new URL(address)
  const base = `/sites/${at.hostname.split('.')[0]}${at.pathname}`
  const found = async () => {
    const answer = await world.nobody(`GET ${base}~/search?q=aardvark`)
    assert.equal(answer.status, 200)
    return /href="[^"]*\/orders[#"]/.test(answer.text.split('class="found"')[1] ?? '')
  }
  assert.ok(await found())

  const [, source] = (await ada(`GET /v1/spaces/${spaceId}/content/pages?computed=false`)).body.pages
  await ada(`PATCH /v1/spaces/${spaceId}`, { editMode: 'live' })
  for (const [condition, isFound] of [
    ['visitor.claims.isInside == true', false],
    ['true', true],
  ]) {
    const changes = [{ operation: 'update_page', page: source.id, condition }]
    const { status, text } = await ada(`POST /v1/spaces/${spaceId}/content`, { changes })
    assert.equal(status, 200, text)
    assert.equal(await found(), isFound, `the condition ${condition}`)
  }
  await indexed(world)
})

test('an operation is found by what it shares with others', async () => {
  await putSpec(shopWith('Describes an order'))
  await indexed(world)
  for (const query of ['resumeAfter', 'marmot', 'hydrogenLevel', 'legibility', 'pigment'])
    assert((await pathsOf(query)).includes('orders'), query)
})

test('a new version, an index that is made again and a deletion are followed', async () => {
  await putSpec(shopWith('Describes a wombat'))
  await indexed(world)
  assert.deepEqual([await pathsOf('aardvark'), await pathsOf('wombat')], [[], ['orders']])
  const before = await indexOf()
  await indexAgain(world.db, spaceId)
  assert.deepEqual(await pathsOf('wombat'), ['orders'])
  assert.equal((await indexOf()).length, before.length)

  await ada(`DELETE ${specPath}`)
  assert.deepEqual(await pathsOf('wombat'), [], 'it is gone at once')
  await indexed(world)
  assert.equal((await indexOf()).length, 1, 'and so are its entries')
  await putSpec(shopWith('Describes a quokka'))
  await indexed(world)
  assert.deepEqual(await pathsOf('quokka'), ['orders'])
})

test('the pages are found where they and their space have moved', async () => {
  const { spaceId: id } = await spaceWith(
    world,
    archiveOf({
      ...archive,
      'guide.md': '# Guide\n',
      'SUMMARY.md': `${archive['SUMMARY.md']}* [Guide](guide.md)\n`,
    }),
  )
  await ada(`PATCH /v1/spaces/${id}`, { editMode: 'live' })
  await putSpec(shopWith('Describes a tapir'))
  await indexed(world)
  const found = async (query: string) => {
    const { body } = await ada(`GET /v1/spaces/${id}/search?query=${query}`)
    return (body.items as Found[]).map(({ path }) => path)
  }
  assert.deepEqual(await found('tapir'), ['orders'])
  const { pages } = (await ada(`GET /v1/spaces/${id}/content/pages?computed=false`)).body
  const [, computed, guide] = pages
  const changes = [{ operation: 'update_page', page: computed.id, into: guide.id }]
  const moved = await ada(`POST /v1/spaces/${id}/content`, { changes })
  assert.equal(moved.status, 200, moved.text)
  await indexed(world)
  assert.deepEqual(await found('tapir'), ['guide/orders'])

  const other = await ada('POST /v1/orgs', { title: 'Other' })
  await putSpec(shopWith('Describes a lemur'), other.body.id)
  const transfer = await ada(`POST /v1/spaces/${id}/transfer`, { organization: other.body.id })
  assert.equal(transfer.status, 200, transfer.text)
  await indexed(world)
  assert.deepEqual([await found('tapir'), await found('lemur')], [[], ['guide/orders']])
})

test('the page of an operation comes before that of its tag', async () => {
  const names = ['Dispatch an order', 'Cancel an order', 'List orders', 'Refund an order', 'Get an order']
  const paths = Object.fromEntries(
    Array.from({ length: 25 }, (_, i) => {
      const summary = names[i] ?? `Order of kind ${i}`
      const operationId = summary.replaceAll(' ', '')
      return [
        `/orders/${i}`,
        { post: { tags: ['Orders'], summary, operationId, description: 'About one order' } },
      ]
    }),
  )
  await putSpec({ ...shopWith('x'), paths })
  await indexed(world)
  for (const [query, first] of [
    ['Dispatch an order', 'orders/dispatch-an-order'],
    ['list orders', 'orders/list-orders'],
    ['Refundanorder', 'orders/refund-an-order'],
    ['/orders/3', 'orders/refund-an-order'],
    ['POST /orders/1', 'orders/cancel-an-order'],
    ['Orders', 'orders'],
  ] as const)
    assert.equal((await pathsOf(query))[0], first, query)
})

/** The pages on a site that a computed page stands for. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import { computedEntry } from '../computed-entry.ts'
import { isLongRun, shareOf } from '../effort.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world

async function putSpec(document: object, slug = 'shop') {
  await ada(`PUT /v1/orgs/${organizationId}/openapi/${slug}`, { source: { text: JSON.stringify(document) } })
  await processOpenApi(world.app.services, 60_000)({ organizationId } as never, {} as never)
  const { body } = await ada(`GET /v1/orgs/${organizationId}/openapi/${slug}`)
  assert.deepEqual([body.processingState, body.lastProcessErrorCode], ['complete', undefined])
}
const read = async (path: string, base: string) => {
  const answer = await world.nobody(`GET ${base}${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.text
}
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')

const summary = (more = '') => `# Table of contents

* [Start](README.md)
${computedEntry('shop', more)}* [End](end.md)
`
const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      get: { tags: ['Orders'], summary: 'List *orders*', responses: {} },
      post: { tags: ['Orders'], summary: 'Create an order', responses: {} },
    },
    '/a "b"/{c}': { get: { tags: ['End'], responses: {} } },
    '/plain': { get: { operationId: 'plain', responses: {} } },
  },
  components: { schemas: { Order: { properties: { total: { type: 'integer' } } } } },
}
const many = Object.fromEntries(
  Array.from({ length: 25 }, (_, i) => [`/many/${i}`, { get: { tags: ['Many'], summary: `Number ${i}` } }]),
)
const publicSite = async (more?: string) => {
  const start = '# Start\n\n[orders](/orders#create-an-order)\n'
  const files = { 'SUMMARY.md': summary(more), 'README.md': start, 'end.md': '# End\n' }
  const space = await spaceWith(world, archiveOf(files))
  const { address: url } = await publish(world, space.spaceId, 'Shop')
  const at = new URL(url)
  return {
    spaceId: space.spaceId,
    address: url,
    base: `${world.url}/sites/${at.hostname.split('.')[0]}${at.pathname}`,
  }
}
const pathsOf = async (base: string) => {
  const { text } = await world.nobody(`GET ${base}llms.txt`)
  return [...text.matchAll(/\]\(https?:\/\/[^/]+\/[^/]+\/([^)]*)\)/g)].map(([, path = '']) => path)
}

test('a computed page expands into pages for tags, operations and models, which change with the specification', async () => {
  const shop = await publicSite()
  assert.deepEqual(await pathsOf(shop.base), ['readme.md', 'end.md'])
  await putSpec(SHOP, 'shop')
  const { base, spaceId: shopId } = shop
  assert.deepEqual(await pathsOf(base), [
    'readme.md',
    'orders.md',
    'end-1.md',
    'operations.md',
    'models.md',
    'end.md',
  ])

  assert.match(await read('', base), /href="[^"]*\/orders#create-an-order"/)
  const orders = await read('orders', base)
  for (const part of ['List *orders*', 'Create an order', 'curl --request POST'])
    assert.ok(plain(orders).includes(part), part)
  assert.match(orders, /id="create-an-order"/)
  assert.ok(plain(await read('models', base)).includes('total integer'))
  assert.ok(plain(await read('operations', base)).includes('plain'))
  assert.ok(plain(await read('end-1', base)).includes('GET /a "b"/{c}'))
  assert.ok((await read('orders.md', base)).includes('## Create an order'))
  assert.ok(
    (await world.nobody(`GET ${base}sitemap-pages.xml`)).text.includes('/orders<') ||
      (await world.nobody(`GET ${base}sitemap.xml`)).text.includes('sitemap'),
  )
  const { body } = await ada(`GET /v1/spaces/${shopId}/content/pages`)
  assert.deepEqual(
    body.pages.map(({ type }: { type: string }) => type),
    ['document', 'document', 'document', 'document', 'document', 'document'],
    'members see them too',
  )

  const { body: published } = await world.nobody('POST /v1/urls/published', {
    url: `${shop.address}orders`,
  })
  const headers = { authorization: `Bearer ${published.apiToken}` }
  const seen = await world.nobody(`GET /v1/spaces/${shopId}/content/pages`, undefined, headers)
  const found = seen.body.pages as { id: string; path: string; type: string }[]
  assert.deepEqual(
    found.map(({ path }) => path),
    ['readme', 'orders', 'end-1', 'operations', 'models', 'end'],
    'a reader sees the pages of the site',
  )
  const own = await world.nobody(
    `GET /v1/spaces/${shopId}/content/page/${found[1]!.id}?format=markdown`,
    undefined,
    headers,
  )
  assert.ok(own.body.markdown.includes('openapi-operation'), own.text)

  await putSpec({ ...SHOP, paths: { ...SHOP.paths, ...many } }, 'shop')
  const paths = await pathsOf(base)
  assert.ok(
    paths.includes('many.md') && paths.includes('many/number-24.md'),
    'a large tag has a page for each operation',
  )
  assert.ok(plain(await read('many/number-24', base)).includes('curl --request GET'))
  const manyPage = await read('many', base)
  assert.ok(plain(manyPage).includes('GET /many/24'))
  assert.match(manyPage, /<a [^>]*href="[^"]*\/many\/number-24"[^>]*><code>GET \/many\/24<\/code>/)
  assert.match(await read('many.md', base), /\[`GET \/many\/24`\]\(\S*\/many\/number-24\)/)

  const single = await publicSite('\n    grouping: by-operation')
  assert.ok((await pathsOf(single.base)).includes('orders/create-an-order.md'))
  await ada(`DELETE /v1/orgs/${organizationId}/openapi/shop`)
  assert.deepEqual(await pathsOf(base), ['readme.md', 'end.md'])
  assert.equal((await world.nobody(`GET ${base}orders`)).status, 404)
})

test('a specification with many schemas has a page for each of them', async () => {
  const names = Array.from({ length: 130 }, (_, i) => `Thing${i}`)
  const schemas = Object.fromEntries(
    names.map((name, i) => [name, { properties: { [`field${i}`]: { type: 'integer' } } }]),
  )
  await putSpec({ openapi: '3.1.0', info: SHOP.info, components: { schemas } }, 'shop')
  const { base } = await publicSite()
  const paths = await pathsOf(base)
  const expected = names.map((name) => `models/${name.toLowerCase()}.md`)
  assert.deepEqual(paths, ['readme.md', 'models.md', ...expected, 'end.md'])
  assert.ok(plain(await read('models/thing129', base)).includes('field129 integer'))
  const list = plain(await read('models', base))
  assert.ok(list.includes('Thing129') && !list.includes('field129'), 'the page of all has their names')
  await ada(`DELETE /v1/orgs/${organizationId}/openapi/shop`)
})

test('the pages of a computed page are shown under its condition', async () => {
  await putSpec({ ...SHOP, paths: { ...SHOP.paths, ...many } }, 'shop')
  const { base, spaceId: shopId } = await publicSite()
  const [, source] = (await ada(`GET /v1/spaces/${shopId}/content/pages?computed=false`)).body.pages
  await ada(`PATCH /v1/spaces/${shopId}`, { editMode: 'live' })
  const changes = [
    { operation: 'update_page', page: source.id, condition: 'visitor.claims.isInside == true' },
  ]
  const updated = await ada(`POST /v1/spaces/${shopId}/content`, { changes })
  assert.equal(updated.status, 200, updated.text)
  assert.deepEqual(await pathsOf(base), ['readme.md', 'end.md'])
  for (const path of ['orders', 'many', 'many/number-3', 'models'])
    assert.equal((await world.nobody(`GET ${base}${path}`)).status, 404, path)
  await ada(`DELETE /v1/orgs/${organizationId}/openapi/shop`)
})

test('the pages of a computed page are hidden, and kept from search and crawlers, as it is', async () => {
  await putSpec({ ...SHOP, paths: { ...SHOP.paths, ...many } }, 'shop')
  const { base, spaceId: shopId } = await publicSite()
  const [, source] = (await ada(`GET /v1/spaces/${shopId}/content/pages?computed=false`)).body.pages
  await ada(`PATCH /v1/spaces/${shopId}`, { editMode: 'live' })
  const update = async (fields: object) => {
    const changes = [{ operation: 'update_page', page: source.id, ...fields }]
    const { status, text } = await ada(`POST /v1/spaces/${shopId}/content`, { changes })
    assert.equal(status, 200, text)
  }
  const text = async (path: string) => (await world.nobody(`GET ${base}${path}`)).text
  const inSiteMap = async () => (await text('sitemap-pages.xml')).includes('/many/number-24<')
  const isLinked = async () => /href="[^"]*\/many"/.test(await text(''))
  const names = ['orders', 'many', 'many/number-24', 'models']
  const robots = async () =>
    (await Promise.all(names.map((name) => text(name)))).map((html) => /noindex/.test(html))
  const markdown = async () =>
    Promise.all(names.map(async (name) => (await world.nobody(`GET ${base}${name}.md`)).status))

  const everything = await pathsOf(base)
  assert.ok(everything.includes('many/number-24.md') && (await isLinked()))
  const isInMap = await inSiteMap()
  const isRobot = await robots()
  const served = await markdown()

  await update({ hidden: true })
  assert.deepEqual(await pathsOf(base), ['readme.md', 'end.md'])
  assert.deepEqual([await isLinked(), await inSiteMap(), await markdown()], [false, false, served])
  const { body } = await ada(`GET /v1/spaces/${shopId}/content/pages`)
  assert.equal(body.pages[1].hidden, true)
  const { body: folded } = await ada(`GET /v1/spaces/${shopId}/content/pages?computed=false`)
  assert.equal(folded.pages[1].hidden, true)

  await update({ hidden: false, noIndex: true })
  assert.deepEqual(await pathsOf(base), ['readme.md', 'end.md'])
  assert.deepEqual([await isLinked(), await inSiteMap()], [true, isInMap])

  await update({ noIndex: false, noRobotsIndex: true })
  assert.deepEqual(await pathsOf(base), everything)
  assert.deepEqual([isRobot, await robots()], [names.map(() => false), names.map(() => true)])
  assert.equal(await inSiteMap(), false)
  await ada(`DELETE /v1/orgs/${organizationId}/openapi/shop`)
})

describe('every link and anchor of the pages of a specification leads somewhere', () => {
  const forMany = Array.from({ length: 130 }, (_, i) => [`Model${i}`, { properties: { id: {} } }])
  const schemas = Object.fromEntries(forMany) as object
  const specifications: [string, () => Promise<object>][] = [
    ['of Lectern', async () => (await world.nobody('GET /openapi.json')).body],
    [
      'with many schemas',
      async () => ({ ...SHOP, paths: { ...SHOP.paths, ...many }, components: { schemas } }),
    ],
  ]
  // That of Lectern has hundreds of pages, and most if each operation has one.
  for (const [index, [name, document]] of (isLongRun() ? specifications : specifications.slice(1)).entries())
    for (const more of isLongRun()
      ? shareOf([undefined, '\n    grouping: by-operation'], index, specifications.length)
      : [undefined])
      test(`${name}${more ? ', with a page for each operation' : ''}`, async () => {
        await putSpec(await document(), 'shop')
        const { base } = await publicSite(more)
        const { pathname: top } = new URL(base, world.url)
        const pages = new Map<string, { anchors: Set<string>; links: Set<string> }>()
        const waiting = ['', ...(await pathsOf(base)).map((path) => path.replace(/\.md$/, ''))]
        const listed = new Set(waiting)
        const below = new Set<string>()
        for (const path of waiting) {
          const { status, text } = await world.nobody(`GET ${base}${path}`)
          if (status >= 300 && status < 400) continue
          assert.equal(status, 200, path)
          const anchors = new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id))
          const links = new Set([...text.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href))
          pages.set(path, { anchors, links })
          const main = /<main[^]*<\/main>/.exec(text)?.[0] ?? ''
          for (const [, href = ''] of main.matchAll(/<p[^>]*><a[^>]* href="([^"]*)"[^>]*><code/g))
            below.add(href)
        }
        assert.ok(below.size > 20, 'pages of parts link to them')
        let followed = 0
        for (const [path, { links }] of pages)
          for (const href of links) {
            const url = new URL(href.replaceAll('&amp;', '&'), `http://host${top}${path}`)
            const target = decodeURI(url.pathname.slice(url.pathname.indexOf(top) + top.length))
            if (url.host !== 'host' && !url.href.startsWith(base)) continue
            if (!url.pathname.includes(top) || target.startsWith('~') || /\.\w+$/.test(target)) continue
            assert.ok(listed.has(target), `${path} links to ${href}`)
            const anchor = decodeURIComponent(url.hash.slice(1))
            const on = pages.get(target)
            if (anchor !== '' && on) assert.ok(on.anchors.has(anchor), `${path} links to ${href}`)
            followed++
          }
        assert.ok(followed > 100)
        await ada(`DELETE /v1/orgs/${organizationId}/openapi/shop`)
      })
})

test('the pages of two computed pages with the same tags have addresses of their own', async () => {
  await putSpec(SHOP, 'first')
  await putSpec(SHOP, 'second')
  const entries = computedEntry('first') + computedEntry('second') + computedEntry('first')
  const { spaceId } = await spaceWith(
    world,
    archiveOf({ 'SUMMARY.md': `# Summary\n\n* [Start](README.md)\n${entries}`, 'README.md': '# Start\n' }),
  )
  const { address } = await publish(world, spaceId, 'Twice')
  const base = `${world.url}/sites/docs${new URL(address).pathname}`
  const paths = await pathsOf(base.slice(world.url.length))
  const orders = paths.filter((path) => path.startsWith('orders'))
  assert.deepEqual(orders, ['orders.md', 'orders-1.md', 'orders-2.md'])
  assert.equal(new Set(paths).size, paths.length)
  for (const path of orders) assert.match(await read(path, base.slice(world.url.length)), /List/)
})

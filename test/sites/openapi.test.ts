/** Operations, webhooks and schemas of OpenAPI specifications on the pages of a site. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { axeFindings, DEVICES, leave, openBrowser, visit, WITHOUT_BROWSER } from './browser.ts'

const world = await createWorld()
const { ada, organizationId } = world

const SPEC = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://{region}.example.com/v1/', variables: { region: { default: 'eu' } } }],
  security: [{ token: [] }],
  paths: {
    '/pets/{petId}': {
      parameters: [{ $ref: '#/components/parameters/PetId' }],
      put: {
        operationId: 'updatePet',
        summary: 'Update a pet',
        description:
          'Changes **some** fields.\n\n# Not a heading\n\n{% include "secret.md" %} <script>alert(1)</script>',
        deprecated: true,
        parameters: [
          { in: 'query', name: 'dry run', required: true, schema: { type: 'boolean', default: false } },
          { in: 'header', name: 'If-Match', schema: { type: 'string', pattern: '^".*"$' } },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: {
          200: {
            description: 'The pet',
            headers: { ETag: { description: 'Its version', schema: { type: 'string' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
          404: { $ref: '#/components/responses/Missing' },
        },
      },
    },
  },
  components: {
    parameters: {
      PetId: { in: 'path', name: 'petId', required: true, schema: { type: 'string', format: 'uuid' } },
    },
    responses: { Missing: { description: 'There is no such pet' } },
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, example: "O'Malley" },
          kind: { type: 'string', enum: ['cat', 'dog'], description: 'Which **animal** it is' },
          age: { type: 'integer', nullable: true, minimum: 0 },
          parent: { $ref: '#/components/schemas/Pet' },
          owner: {
            oneOf: [{ $ref: '#/components/schemas/Person' }, { $ref: '#/components/schemas/Shelter' }],
          },
          tags: { type: 'array', items: { type: 'string' } },
        },
      },
      Person: { type: 'object', properties: { email: { type: 'string', format: 'email' } } },
      Shelter: {
        allOf: [{ $ref: '#/components/schemas/Person' }, { properties: { beds: { type: 'integer' } } }],
      },
    },
  },
  'x-webhooks': {
    adopted: { post: { summary: 'A pet was adopted', responses: { 200: { description: 'Received' } } } },
  },
}

async function putSpec(document: object, slug = 'pets') {
  await ada(`PUT /v1/orgs/${organizationId}/openapi/${slug}`, { source: { text: JSON.stringify(document) } })
  await processOpenApi(world.app.services, 60_000)({ organizationId } as never, {} as never)
  const { body } = await ada(`GET /v1/orgs/${organizationId}/openapi/${slug}`)
  assert.deepEqual([body.processingState, body.lastProcessErrorCode], ['complete', undefined])
}
await putSpec(SPEC)

const { spaceId } = await spaceWith(
  world,
  archiveOf({
    'README.md': '# Start\n',
    'update.md':
      '# Update\n\n{% openapi-operation spec="pets" path="/pets/{petId}" method="put" %}\n[pets](https://example.com)\n{% endopenapi-operation %}\n',
    'models.md':
      '# Models\n\n{% openapi-schemas spec="pets" schemas="Pet,Shelter" grouped="true" %}\n[pets](https://example.com)\n{% endopenapi-schemas %}\n',
    'hook.md':
      '# Hook\n\n{% openapi-webhook spec="pets" name="adopted" method="post" %}\n[pets](https://example.com)\n{% endopenapi-webhook %}\n',
    'none.md':
      '# None\n\n{% openapi-operation spec="pets" path="/none" method="get" %}\n[pets](https://example.com)\n{% endopenapi-operation %}\n',
  }),
)
const { address } = await publish(world, spaceId, 'Pets')
const { pathname, hostname } = new URL(address)
const site = `${world.url}/sites/${hostname.split('.')[0]}${pathname}`
const read = async (path: string, base = site) => {
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

test('an operation shows its parameters, bodies, responses and code, without JavaScript', async () => {
  const html = await read('update')
  const text = plain(html)
  for (const part of [
    'Update a pet',
    'This operation is deprecated.',
    'Changes some fields.',
    'Server: https://eu.example.com/v1',
    'Authentication: token (bearer)',
    'petId string (uuid), required',
    'dry run boolean, required, default: false',
    'If-Match string, /^".*"$/',
    'Request body (required)',
    'name string, required, length ≥ 1',
    'kind string, allowed values: cat, dog Which animal it is',
    'age integer | null, ≥ 0',
    'parent Pet, described above',
    'owner Person | Shelter',
    'tags string[]',
    '200 – The pet',
    'ETag string Its version',
    '404 – There is no such pet',
    `curl --request PUT 'https://eu.example.com/v1/pets/{petId}?dry+run=false'`,
    `--header 'Authorization: Bearer YOUR_TOKEN'`,
    String.raw`"name": "O'\''Malley"`,
    'requests.request(',
    'http.NewRequest("PUT"',
    'HttpRequest.newBuilder(',
  ])
    assert.ok(text.includes(part), `${part} is not in ${text}`)
  assert.ok(!html.includes('<script>alert'))
  assert.ok(text.includes('{ % include'), 'a tag in a specification is text')
  assert.doesNotMatch(html, /<h\d[^>]*>[^<]*Not a heading/)
})

test('schemas and webhooks are shown, and what is not there is only named', async () => {
  const models = plain(await read('models'))
  for (const part of ['Shelter', 'beds integer', 'email string (email)'])
    assert.ok(models.includes(part), part)
  assert.ok(plain(await read('hook')).includes('A pet was adopted'))
  const none = plain(await read('none'))
  assert.ok(none.includes('/none') && !none.includes('Responses'))
})

test('the Markdown of a page has the description too', async () => {
  const markdown = await read('update.md')
  for (const part of ['**Update a pet**', '`petId` string (uuid), **required**', '```bash'])
    assert.ok(markdown.includes(part), `${part} is not in ${markdown}`)
})

test('a new version shows with the next request, and a deleted specification no longer', async () => {
  const changed = structuredClone(SPEC)
  changed.paths['/pets/{petId}'].put.summary = 'Change a pet'
  await putSpec(changed)
  assert.ok((await read('update')).includes('Change a pet'))
  await ada(`DELETE /v1/orgs/${organizationId}/openapi/pets`)
  assert.ok(!(await read('update')).includes('Change a pet'))
  await putSpec(SPEC)
  assert.ok((await read('update')).includes('Update a pet'))
})

const summary = (more = '') => `# Table of contents

* [Start](README.md)
* \`\`\`yaml
  type: builtin:openapi
  props:
    models: true${more}
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: shop
  \`\`\`
* [End](end.md)
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
  assert.match(await read('many.md', base), /\[`GET \/many\/24`\]\(\S*\/many\/number-24\)/)
  const links = [...manyPage.matchAll(/<a [^>]*href="([^"]*)"[^>]*><code>/g)].map(([, href]) => href!)
  assert.equal(links.length, Object.keys(many).length)
  for (const link of links) assert.equal((await world.nobody(`GET ${link}`)).status, 200, link)
  assert.ok(plain(manyPage).includes('GET /many/24'))
  assert.match(manyPage, /<a [^>]*href="[^"]*\/many\/number-24"[^>]*><code>GET \/many\/24<\/code>/)

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
  const models = await read('models', base)
  assert.match(models, /<a [^>]*href="[^"]*\/models\/thing129"[^>]*><code>Thing129<\/code>/)
  const list = plain(models)
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

describe('operations, in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  for (const device of [...DEVICES, { name: 'narrow', width: 320, height: 640, theme: 'light' as const }]) {
    test(`${device.name}: nothing is refused, inaccessible or wider than the page`, async () => {
      const { page, complaints } = await visit(browser, `${site}update`, device)
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
      // Axe itself adds styles, which the policy refuses.
      assert.deepEqual(complaints, [])
      assert.deepEqual(await axeFindings(page), [])
      const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      assert.ok((await page.evaluate<number>(wider)) <= 0)
      const { LECTERN_TEST_PICTURES: folder } = process.env
      if (folder) await page.screenshot({ path: `${folder}/openapi-${device.name}.png`, fullPage: true })
      await leave(page)
    })
  }
})

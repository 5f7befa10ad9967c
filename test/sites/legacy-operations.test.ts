/** `{% swagger %}`, `{% openapi %}` and `{% api-method %}` on the pages of a site. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import { firstOf } from '../effort.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { axeFindings, DEVICES_BY_RANK, leave, openBrowser, visit, WITHOUT_BROWSER } from './browser.ts'

const SPEC = {
  swagger: '2.0',
  info: { title: 'Pets', version: '1' },
  host: 'pets.example',
  basePath: '/v2',
  schemes: ['https'],
  paths: {
    '/pets/{id}': {
      get: {
        summary: 'Get a pet',
        parameters: [{ in: 'path', name: 'id', required: true, type: 'string' }],
        responses: { 200: { description: 'The pet', schema: { $ref: '#/definitions/Pet' } } },
      },
    },
  },
  definitions: { Pet: { type: 'object', properties: { name: { type: 'string' } } } },
}
/** Requests for the specification by its URL. */
let fetched = 0
const source = createServer((_, response) => {
  fetched += 1
  response.end(JSON.stringify({ ...SPEC, host: 'url.example' }))
})
await new Promise<void>((done) => source.listen(0, '127.0.0.1', done))
after(() => source.close())
const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/pets.json`

const world = await createWorld({ LECTERN_FETCH_ALLOW: '127.0.0.1/32' })
const { ada, organizationId } = world

const cake = `{% swagger method="post" path="/cakes/:id" baseUrl="https://api.cakes.example/v1" summary="Bake a cake" %}
{% swagger-description %}
Bakes a **cake**.
{% endswagger-description %}

{% swagger-parameter in="path" name="id" type="string" required="true" %}
The ID of the \`cake\`
{% endswagger-parameter %}

{% swagger-parameter in="header" name="Authorization" type="string" %}
A token
{% endswagger-parameter %}

{% swagger-parameter in="query" name="sort" type="string" required="true" %}
{% endswagger-parameter %}

{% swagger-parameter in="body" name="layers" type="integer" %}
How many layers
{% endswagger-parameter %}

{% swagger-response status="200" description="The cake" %}
\`\`\`javascript
{ "name": "Brownie" }
\`\`\`
{% endswagger-response %}

{% swagger-response status="404" description="No such cake" %}
{% endswagger-response %}
{% endswagger %}
`
const older = `{% api-method method="get" host="https://api.cakes.example" path="/v1/cakes/:id" %}
{% api-method-summary %}
Get cakes
{% endapi-method-summary %}

{% api-method-description %}
Free cakes.
{% endapi-method-description %}

{% api-method-spec %}
{% api-method-request %}
{% api-method-path-parameters %}
{% api-method-parameter name="id" type="string" required=true %}
ID of the cake
{% endapi-method-parameter %}
{% endapi-method-path-parameters %}
{% endapi-method-request %}

{% api-method-response %}
{% api-method-response-example httpCode=200 %}
{% api-method-response-example-description %}
Retrieved.
{% endapi-method-response-example-description %}

\`\`\`
{ "name": "Cake" }
\`\`\`
{% endapi-method-response-example %}
{% endapi-method-response %}
{% endapi-method-spec %}
{% endapi-method %}
`
const files = {
  'README.md': '# Start\n',
  'api/pets.json': JSON.stringify(SPEC),
  'api/broken.yaml': 'swagger: "2.0"\npaths: [',
  'file.md':
    '# File\n\n{% swagger src="api/pets.json" path="/pets/{id}" method="GET" %}\n[pets](api/pets.json)\n{% endswagger %}\n',
  'openapi-file.md':
    '# File\n\n{% openapi src="./api/pets.json" path="/pets/{id}" method="get" %}\n[pets](api/pets.json)\n{% endopenapi %}\n',
  'url.md': `# URL\n\n{% openapi src="${url}" path="/pets/{id}" method="get" %}\n[pets](${url})\n{% endopenapi %}\n`,
  'url-argument.md': `# URL\n\n{% openapi url="${url}" path="/pets/{id}" method="get" %}\n`,
  'other.md': `# Other\n\n{% swagger src="https://none.example/a.json" path="/pets/{id}" method="get" %}\n{% endswagger %}\n`,
  'broken.md':
    '# Broken\n\n{% swagger src="api/broken.yaml" path="/pets/{id}" method="get" %}\n{% endswagger %}\n',
  'cake.md': `# Cake\n\n${cake}`,
  '.gitbook/includes/cake.md': cake,
  'include.md': '# Include\n\n{% include ".gitbook/includes/cake.md" %}\n',
  'older.md': `# Older\n\n${older}`,
}
const { spaceId } = await spaceWith(world, archiveOf(files))
const { address } = await publish(world, spaceId, 'Legacy')
const { pathname, hostname } = new URL(address)
const site = `${world.url}/sites/${hostname.split('.')[0]}${pathname}`
const read = async (path: string) => {
  const answer = await world.nobody(`GET ${site}${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.text
}
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
const has = (text: string, ...parts: string[]) => {
  for (const part of parts) assert.ok(text.includes(part), `${part} is not in ${text}`)
}

test('an operation of a file of the space is described', async () => {
  for (const page of ['file', 'openapi-file']) {
    const html = await read(page)
    has(
      plain(html),
      'Get a pet',
      'Server: https://pets.example/v2',
      'id string, required',
      '200 – The pet',
      'curl',
    )
    assert.match(html, /data-try=/)
    has(await read(`${page}.md`), '**Get a pet**', '`name` string', 'openapi-operation spec="./pets.json"')
  }
  assert.match(await read('file'), /try-it/)
})

test('an operation of a specification that was made from the same URL is described, and nothing is fetched', async () => {
  assert.ok(!plain(await read('url')).includes('Get a pet'))
  assert.equal(fetched, 0)
  await ada(`PUT /v1/orgs/${organizationId}/openapi/by-url`, { source: { url } })
  await processOpenApi(world.app.services, 60_000)({ organizationId } as never, {} as never)
  assert.equal(fetched, 1)
  for (const page of ['url', 'url-argument']) {
    has(plain(await read(page)), 'Get a pet', 'Server: https://url.example/v2')
    has(await read(`${page}.md`), 'openapi-operation spec="by-url"', '**Get a pet**')
  }
  assert.equal(fetched, 1)
})

test('what cannot be described is named', async () => {
  for (const page of ['other', 'broken']) {
    const html = await read(page)
    has(plain(html), '/pets/{id}')
    assert.ok(!plain(html).includes('Get a pet'))
    assert.doesNotMatch(html, /data-try=/)
  }
})

test('an operation that is written out is described from its own content', async () => {
  const html = await read('cake')
  has(
    plain(html),
    'Bake a cake',
    'Bakes a cake.',
    'Server: https://api.cakes.example/v1',
    'id string, required The ID of the cake',
    'Authorization string A token',
    'layers integer How many layers',
    '200 – The cake',
    '"name": "Brownie"',
    '404 – No such cake',
    `curl --request POST 'https://api.cakes.example/v1/cakes/{id}?sort=string'`,
    '"layers": 1',
  )
  has(
    html,
    '&quot;servers&quot;:[&quot;https://api.cakes.example/v1&quot;]',
    '&quot;path&quot;:&quot;/cakes/{id}&quot;',
  )
  has(plain(await read('include')), 'Bakes a cake.', 'id string, required', 'curl --request POST')
  const markdown = await read('cake.md')
  has(markdown, 'Bakes a **cake**.', '`layers` integer', '```bash')
  assert.equal(markdown.match(/Bakes a/g)?.length, 1)

  has(
    plain(await read('older')),
    'Get cakes',
    'Free cakes.',
    'id string, required ID of the cake',
    'Retrieved.',
    `curl --request GET 'https://api.cakes.example/v1/cakes/{id}'`,
  )
})

describe('in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser?.close())

  for (const device of firstOf(DEVICES_BY_RANK, 1, 2))
    test(`${device.name}: nothing is refused, inaccessible or wider than the page`, async () => {
      for (const path of ['cake', 'older', 'file']) {
        const { page, complaints } = await visit(browser, `${address}${path}`, device)
        assert.deepEqual(complaints, [])
        assert.deepEqual(await axeFindings(page), [])
        const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
        assert.ok((await page.evaluate<number>(wider)) <= 0)
        const { LECTERN_TEST_PICTURES: folder } = process.env
        if (folder)
          await page.screenshot({ path: `${folder}/legacy-${path}-${device.name}.png`, fullPage: true })
        await leave(page)
      }
    })
})

/** Readers of a site send requests to the operations that its pages describe. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { processOpenApi } from '../../src/jobs/process-openapi.ts'
import { firstOf } from '../effort.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import {
  axeFindings,
  DEVICES,
  DEVICES_BY_RANK,
  leave,
  openBrowser,
  untilTrue,
  visit,
  WITHOUT_BROWSER,
} from './browser.ts'

/** The requests to an API, which permits those of browsers only below `/open`. */
const received: { request: IncomingMessage; body: string }[] = []
const api = createServer((request, response) => {
  void textOf(request).then((body) => {
    if (request.method === 'OPTIONS' && !request.url?.startsWith('/open'))
      return response.writeHead(403).end()
    if (request.method !== 'OPTIONS') received.push({ request, body })
    if (request.url?.startsWith('/open')) {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', '*, authorization')
      response.setHeader('access-control-allow-methods', '*')
    }
    response.setHeader('set-cookie', 'secret=1')
    if (request.url?.includes('elsewhere'))
      return response.writeHead(302, { location: '/closed/inside' }).end()
    if (request.url?.includes('large')) return response.end('x'.repeat(2 * 1024 * 1024))
    response.setHeader('content-type', 'text/html')
    return response.writeHead(201).end('{"hello":"<img src=x onerror=alert(1)>"}')
  })
})
await new Promise<void>((done) => api.listen(0, '127.0.0.1', done))
after(() => {
  api.closeAllConnections()
  api.close()
})
const origin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`

const world = await createWorld({ LECTERN_FETCH_ALLOW: '127.0.0.1/32' })
const { ada, organizationId } = world

const parameters = [
  { in: 'path', name: 'petId', required: true, schema: { type: 'string' } },
  { in: 'query', name: 'tag', schema: { type: 'array', items: { type: 'string' } } },
  { in: 'query', name: 'kind', schema: { enum: ['cat', 'dog'] } },
  { in: 'header', name: 'X-Trace', schema: { type: 'string' } },
  { in: 'cookie', name: 'session', schema: { type: 'string' } },
]
const operations = {
  put: {
    summary: 'Update a pet',
    parameters,
    requestBody: {
      content: {
        'application/json': { schema: { properties: { name: { type: 'string', example: 'Rex' } } } },
        'multipart/form-data': {
          schema: { properties: { name: { type: 'string' }, photo: { type: 'string', format: 'binary' } } },
        },
      },
    },
    responses: { 201: { description: 'The pet' } },
  },
  get: { summary: 'Get a pet', parameters: parameters.slice(0, 1), responses: {} },
  trace: { parameters: parameters.slice(0, 1), responses: {} },
}
const spec = (place: string) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [
    { url: `${origin}/${place}` },
    { url: "https://a.example;script-src'*'" },
    { url: 'https://user:password@b.example' },
    { url: '/relative' },
    { url: 'https://{region}.c.example', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } },
  ],
  security: [{ token: [] }, { name: [] }, { key: [] }],
  paths: { '/pets/{petId}': operations, '/elsewhere': { get: {} }, '/large': { get: {} } },
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      name: { type: 'http', scheme: 'basic' },
      key: { type: 'apiKey', in: 'query', name: 'api_key' },
    },
  },
})
for (const slug of ['open', 'closed'])
  await ada(`PUT /v1/orgs/${organizationId}/openapi/${slug}`, {
    source: { text: JSON.stringify(spec(slug)) },
  })
await processOpenApi(world.app.services, 60_000)({ organizationId } as never, {} as never)

const shown = (slug: string, method = 'put', path = '/pets/{petId}') =>
  `{% openapi-operation spec="${slug}" path="${path}" method="${method}" %}\n[${slug}](https://example.com)\n{% endopenapi-operation %}\n`
const { spaceId } = await spaceWith(
  world,
  archiveOf({
    'README.md': '# Start\n',
    'open.md': `# Open\n\n${shown('open')}`,
    'closed.md': `# Closed\n\n${shown('closed')}\n${shown('closed', 'get')}\n${shown('closed', 'trace')}\n${shown('closed', 'get', '/elsewhere')}\n${shown('closed', 'get', '/large')}\n{% if visitor.claims.staff %}\n${shown('open', 'get')}\n{% endif %}\n`,
    'hidden.md': `---\nhidden: true\nif: visitor.claims.staff\n---\n\n# Hidden\n\n${shown('closed')}`,
  }),
)
const { address, siteId } = await publish(world, spaceId, 'Pets')
const { pathname, hostname } = new URL(address)
const site = `${world.url}/sites/${hostname.split('.')[0]}${pathname}`
const later = (ms: number) => {
  world.clock.now = new Date((world.clock.now ?? new Date()).getTime() + ms)
}
const permit = (slug: string, requestProxy: boolean) => {
  later(1)
  return ada(`PATCH /v1/orgs/${organizationId}/openapi/${slug}`, { requestProxy })
}

async function send(change: object = {}, headers: Record<string, string> = {}) {
  const { pathname: base } = new URL(site)
  const wanted = {
    page: `${base}closed`,
    spec: 'closed',
    path: '/pets/{petId}',
    method: 'GET',
    url: `${origin}/closed/pets/1?a=b`,
    headers: [],
    body: '',
    ...change,
  }
  const response = await fetch(`${site}~/try`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', ...headers },
    body: JSON.stringify(wanted),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('a page names the servers of its operations in its policy, and nothing that could change the policy', async () => {
  const response = await fetch(`${site}open`)
  const html = await response.text()
  assert.match(html, /data-try="\{&quot;method&quot;:&quot;PUT&quot;/)
  assert.match(html, /try-it\.[0-9a-f]+\.js/)
  const policy = response.headers.get('content-security-policy') ?? ''
  assert.ok(
    policy.includes(`connect-src 'self' ${origin} https://eu.c.example https://us.c.example; frame-src`),
    policy,
  )
  const start = await fetch(site)
  assert.match(start.headers.get('content-security-policy') ?? '', /connect-src 'self';/)
  assert.doesNotMatch(await start.text(), /try-it/)
  const closed = await (await fetch(`${site}closed`)).text()
  assert.equal(closed.match(/data-try=/g)?.length, 4, 'no browser can send TRACE')
})

test('the server sends requests only if the specification permits it', async () => {
  assert.equal((await send()).status, 404)
  const changed = await permit('closed', true)
  assert.deepEqual(
    [changed.status, changed.body.requestProxy, changed.body.visibility],
    [200, true, 'private'],
  )
  assert.doesNotMatch(await (await fetch(`${site}open`)).text(), /&quot;spec&quot;/)
  assert.match(await (await fetch(`${site}closed`)).text(), /&quot;spec&quot;:&quot;closed&quot;/)

  received.length = 0
  const sent = await send(
    {
      method: 'PUT',
      headers: [
        ['Authorization', 'Bearer secret'],
        ['Cookie', 'a=b'],
        ['Host', 'other.example'],
        ['X-Forwarded-For', '10.0.0.1'],
        ['Sec-Fetch-Site', 'same-origin'],
        ['Content-Type', 'application/json'],
      ],
      body: Buffer.from('{"é":1}').toString('base64'),
    },
    { cookie: 'session=1', authorization: 'Bearer reader' },
  )
  assert.equal(sent.status, 200, sent.text)
  assert.equal(sent.headers.get('content-type'), 'application/octet-stream')
  assert.match(sent.headers.get('content-disposition') ?? '', /^attachment/)
  assert.match(sent.headers.get('content-security-policy') ?? '', /sandbox/)
  assert.deepEqual(
    [
      sent.headers.get('x-content-type-options'),
      sent.headers.get('set-cookie'),
      sent.headers.get('cache-control'),
    ],
    ['nosniff', null, 'no-store'],
  )
  const { status, headers, body } = JSON.parse(sent.text)
  assert.equal(status, 201)
  assert.ok(!JSON.stringify(headers).includes('secret=1'))
  assert.equal(Buffer.from(body, 'base64').toString(), '{"hello":"<img src=x onerror=alert(1)>"}')
  const [{ request, body: arrived } = { request: undefined, body: '' }] = received
  assert.deepEqual([request?.method, request?.url, arrived], ['PUT', '/closed/pets/1?a=b', '{"é":1}'])
  const names = Object.keys(request?.headers ?? {})
  assert.equal(request?.headers['authorization'], 'Bearer secret')
  for (const name of ['cookie', 'x-forwarded-for', 'sec-fetch-site', 'referer', 'origin'])
    assert.ok(!names.includes(name), name)
})

test('the server sends requests only to operations that the reader sees on the page', async () => {
  await permit('open', true)
  received.length = 0
  const { pathname: base } = new URL(site)
  const refused: [number, object][] = [
    [404, { spec: 'open', url: `${origin}/open/pets/1` }],
    [404, { page: `${base}hidden` }],
    [404, { page: `${base}none` }],
    [404, { page: '/' }],
    [404, { path: '/none', url: `${origin}/closed/none` }],
    [404, { method: 'POST' }],
    [404, { spec: "closed' or 1=1" }],
    [400, { url: `${origin}/open/pets/1` }],
    [400, { url: `${origin}/closed/pets/1/2` }],
    [400, { url: `${origin}/closed/pets/../../open/pets/1` }],
    [400, { url: `${origin}/closed/pets/%2e%2e` }],
    [400, { url: `${origin.replace('127.0.0.1', 'localhost')}/closed/pets/1` }],
    [400, { url: `${origin.replace('http://', 'http://a:b@')}/closed/pets/1` }],
    [400, { url: `file:///closed/pets/1` }],
    [400, { url: `/closed/pets/1` }],
    [400, { method: 'TRACE' }],
    [400, { method: 'CONNECT' }],
    [400, { headers: [['a\r\nb', 'c']] }],
    [400, { headers: [['a', 'b\r\nc: d']] }],
    [400, { headers: { a: 'b' } }],
    [400, { headers: [['a', 'x'.repeat(20_000)]] }],
    [400, { body: '<html>' }],
    [400, { body: null }],
    [413, { body: 'A'.repeat(70_000) }],
  ]
  for (const [status, change] of refused.slice(0, 24)) {
    later(3_000)
    const sent = await send(change)
    assert.equal(sent.status, status, `${JSON.stringify(change).slice(0, 200)}: ${sent.text}`)
  }
  assert.deepEqual(received, [])
  await permit('open', false)
})

test('the server returns a redirect, and refuses a response that is too large', async () => {
  received.length = 0
  const moved = await send({ path: '/elsewhere', url: `${origin}/closed/elsewhere` })
  assert.equal(JSON.parse(moved.text).status, 302)
  assert.equal(received.length, 1)
  const large = await send({ path: '/large', url: `${origin}/closed/large` })
  assert.equal(large.status, 413, large.text)
})

test('readers of one network send at most 30 requests in a minute, and no other site sends them', async () => {
  later(60_000)
  const seen = await Promise.all(Array.from({ length: 32 }, () => send({ method: 'TRACE' })))
  assert.equal(seen.filter(({ status }) => status === 429).length, 2)
  assert.ok(seen.find(({ status }) => status === 429)?.headers.get('retry-after'))
  later(60_000)
  const host = await fetch(`${site}~/try`)
  assert.equal(host.status, 405)
  const own = await fetch(`${world.url}/manual/~/try`, { method: 'POST' })
  assert.equal(own.status, 404)
})

describe('Try it, in a browser', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
    await permit('closed', true)
  })
  after(() => browser?.close())

  async function openForm(page: Page) {
    await page.locator('.try-open').first().click()
    await page.locator('.try-form').getByLabel('petId').first().fill('a/b')
  }

  test('a request is sent from the browser, with what the reader entered', async () => {
    const { page, complaints } = await visit(browser, `${address}open`, DEVICES[0]!)
    received.length = 0
    await openForm(page)
    assert.ok(await page.evaluate(`document.querySelector('.try-form').contains(document.activeElement)`))
    await page.getByLabel('tag').fill('x, y')
    await page.getByLabel('kind').selectOption('dog')
    await page.getByLabel('X-Trace').fill('1')
    await page.getByLabel('Token').fill('secret')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await untilTrue(page, `document.querySelector('.try-status').textContent.includes('201')`)
    const [{ request, body } = { request: undefined, body: '' }] = received
    assert.equal(request?.url, '/open/pets/a%2Fb?tag=x&tag=y&kind=dog')
    assert.deepEqual(
      [request?.headers.authorization, request?.headers['x-trace'], request?.headers.cookie, body],
      ['Bearer secret', '1', undefined, '{\n  "name": "Rex"\n}'],
    )
    assert.match((await page.locator('.try-response pre').textContent()) ?? '', /"hello": "<img/)
    assert.equal(await page.locator('.try-response img').count(), 0)
    assert.deepEqual(await axeFindings(page), [])

    await page.getByLabel('Content type').selectOption('multipart/form-data')
    await page
      .getByLabel('photo')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('photo!') })
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await untilTrue(page, `document.querySelector('.try-status').textContent.includes('201')`)
    assert.match(received.at(-1)?.request.headers['content-type'] ?? '', /^multipart\/form-data; boundary=/)
    assert.ok(received.at(-1)?.body.includes('photo!'))

    assert.deepEqual(complaints, [])
    await page.reload()
    await openForm(page)
    assert.equal(await page.getByLabel('Token').inputValue(), 'secret', 'the tab keeps it')
    await page.getByLabel('Server').selectOption('https://eu.c.example')
    assert.equal(await page.getByLabel('Token').inputValue(), '', 'it is for one server')
    await leave(page)
  })

  test('if the API refuses the browser, the reader can send the request through the site', async () => {
    for (const at of [`${address}closed`, `${site}closed`]) {
      const { page } = await visit(browser, at, DEVICES[0]!)
      received.length = 0
      await openForm(page)
      await page.getByLabel('Token').first().fill('secret')
      await page.getByRole('button', { name: 'Send', exact: true }).first().click()
      await page.getByRole('button', { name: 'Send through this site' }).click()
      await untilTrue(page, `document.querySelector('.try-status').textContent.includes('201')`)
      assert.deepEqual(
        received.map(({ request: { method, url, headers } }) => [method, url, headers['authorization']]),
        [['PUT', '/closed/pets/a%2Fb', 'Bearer secret']],
      )
      await leave(page)
    }
    await permit('closed', false)
    const { page } = await visit(browser, `${address}closed`, DEVICES[0]!)
    await openForm(page)
    await page.getByRole('button', { name: 'Send', exact: true }).first().click()
    await untilTrue(page, `document.querySelector('.try-status').className.includes('failed')`)
    assert.equal(await page.getByRole('button', { name: 'Send through this site' }).count(), 0)
    await leave(page)
  })

  for (const device of firstOf(DEVICES_BY_RANK, 1, 2))
    test(`${device.name}: the form is accessible and fits`, async () => {
      const { page } = await visit(browser, `${address}open`, device)
      await openForm(page)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await untilTrue(page, `document.querySelector('.try-status').textContent.includes('201')`)
      await page.locator('.try-headers summary').click()
      assert.deepEqual(await axeFindings(page), [])
      const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      assert.ok((await page.evaluate<number>(wider)) <= 0)
      const { LECTERN_TEST_PICTURES: folder } = process.env
      if (folder) await page.screenshot({ path: `${folder}/try-it-${device.name}.png`, fullPage: true })
      await leave(page)
    })

  test('every language has all words of the form', async () => {
    const path = `/v1/orgs/${organizationId}/sites/${siteId}/customization`
    const { body } = await ada(`GET ${path}`)
    const changed = await ada(`PUT ${path}`, {
      ...body,
      internationalization: { ...body.internationalization, locale: 'de' },
    })
    assert.equal(changed.status, 200, changed.text)
    const { page } = await visit(browser, `${address}open`, DEVICES[0]!)
    await page.getByRole('button', { name: 'Ausprobieren' }).click()
    assert.ok(await page.getByRole('group', { name: 'Pfadparameter' }).isVisible())
    await leave(page)
  })
})

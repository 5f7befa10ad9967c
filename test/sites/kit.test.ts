/** A site is served through the same hooks as the API: request ids, rate limits, methods and headers. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const LIMIT = 40
const world = await createWorld({ LECTERN_RATE_LIMIT: String(LIMIT) })
const { ada, organizationId } = world
const { spaceId } = await spaceWith(world, archiveOf({ 'README.md': '# Welcome\n' }), 'Manual')
await publish(world, spaceId, 'Manual')
const base = '/sites/docs/manual/'
const ask = (line: string, body?: unknown, headers?: Record<string, string>) =>
  world.nobody(line.replace(' ', ` ${base}`), body, headers)

test('a site has the headers of the API, and keeps the id of a request', async () => {
  const page = await ask('GET ', undefined, { 'x-request-id': 'trace-1' })
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('x-request-id'), 'trace-1')
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(page.headers.get('referrer-policy'), 'strict-origin-when-cross-origin')
  assert.equal(page.headers.get('x-ratelimit-limit'), String(LIMIT))
  assert.equal(page.headers.get('access-control-allow-origin'), null, 'CORS is for the API')
  const missing = await ask('GET nothing')
  assert.deepEqual([missing.status, missing.headers.get('x-content-type-options')], [404, 'nosniff'])
  assert.notEqual(missing.headers.get('x-request-id'), null)
})

test('HEAD has the headers of GET; every other method is 405 and names the allowed ones', async () => {
  const names = ['content-type', 'content-length', 'etag', 'cache-control']
  const identity = { 'accept-encoding': 'identity' }
  const [get, head] = [await ask('GET ', undefined, identity), await ask('HEAD ', undefined, identity)]
  assert.deepEqual([head.status, head.text], [200, ''])
  for (const name of names) assert.equal(head.headers.get(name), get.headers.get(name), name)

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    const refused = await ask(`${method} `, method === 'POST' ? Buffer.alloc(100_000) : undefined)
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD'], method)
    assert.match(refused.text, /send GET or HEAD/)
  }
})

test('a body is refused before it is read', async () => {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const sending = request(`${world.url}${base}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '1000000000' },
  })
  sending.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
  sending.flushHeaders()
  assert.equal(await promise, 405)
  sending.destroy()
})

test('requests cannot name the internal route of the sites', async () => {
  for (const path of ['/~site', '/%7Esite', '/~site/']) {
    const { status } = await world.nobody(`GET ${path}`)
    assert.equal(status, 404, path)
  }
})

test('visitors are counted by IP address, separately from callers of the API', async () => {
  world.clock.now = new Date('2026-11-20T12:00:30.000Z')
  for (let left = LIMIT - 1; left >= 0; left--) {
    const { headers } = await ask('GET nothing')
    assert.equal(headers.get('x-ratelimit-remaining'), String(left))
  }
  const over = await ask('GET ')
  assert.deepEqual([over.status, over.headers.get('retry-after')], [429, '30'])
  assert.match(over.text, new RegExp(`More than ${LIMIT} requests`))
  assert.equal((await world.nobody('GET /v1')).status, 200)
  world.clock.now = new Date('2026-11-20T12:01:00.000Z')
  assert.equal((await ask('GET ')).status, 200)
})

test('the names of sites and spaces can use any script', async () => {
  world.clock.now = undefined
  const titles = ['中文', '日本']
  const spaces = await Promise.all(
    titles.map((title) => spaceWith(world, archiveOf({ 'README.md': `# ${title}\n` }), title)),
  )
  const ids = spaces.map((space) => space.spaceId)
  const site = (await ada(`POST /v1/orgs/${organizationId}/sites`, { title: '手册', spaces: ids })).body
  const { body } = await ada(`POST /v1/orgs/${organizationId}/sites/${site.id}/publish`)
  const home = `/sites/docs${new URL(body.urls.published).pathname}`
  assert.equal(home, `/sites/docs/${encodeURIComponent('手册')}/`)

  const first = await world.nobody(`GET ${home}`)
  assert.match(first.text, /<h1[^>]*>(<[^>]+>)*中文/)
  const second = `${home}${encodeURIComponent('日本')}/`
  assert(first.text.includes(`href="${second}?switch"`))
  assert.match((await world.nobody(`GET ${second}`)).text, /<h1[^>]*>(<[^>]+>)*日本/)
  const { urls } = (await ada(`GET /v1/spaces/${ids[1]}`)).body
  assert.equal(`/sites/docs${new URL(urls.published).pathname}`, second)
})

/** What a renderer in front of the server hears of changes that readers see. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { readConfig } from '../../src/installation/config.ts'
import { jobLoop } from '../../src/jobs/queue.ts'
import { workers } from '../../src/jobs/workers.ts'
import { REVALIDATE } from '../../src/model/revalidation.ts'
import { tokenCaller } from '../sites/renderer-site.ts'
import { createWorld } from '../world.ts'

const SECRET = 'the-secret-of-a-renderer'
let status = 200
const received: string[] = []
const renderer = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = Buffer.concat(parts)
    const signature = createHmac('sha256', SECRET).update(body).digest('hex')
    assert.equal(request.headers['x-gitbook-signature'], signature)
    assert.equal(`${request.method} ${request.url}`, 'POST /~gitbook/revalidate')
    received.push(...(JSON.parse(body.toString()) as { tags: string[] }).tags)
    response.writeHead(status).end('{"success":true}')
  })
}).listen(0, '127.0.0.1')
await new Promise((done) => void renderer.once('listening', done))
after(() => renderer.close())

// The operator chose the address, so it needs no range of addresses that may be fetched.
const world = await createWorld({
  LECTERN_RENDERER_URL: `http://127.0.0.1:${(renderer.address() as AddressInfo).port}`,
  LECTERN_RENDERER_SECRET: SECRET,
  LECTERN_FETCH_ALLOW: '',
})
const { ada, organizationId, clock } = world
clock.now = new Date()
const { services } = world.app
const quiet = { info() {}, warn() {}, error() {} } as never
const { [REVALIDATE]: worker } = workers(services)
const loop = jobLoop(world.db, { [REVALIDATE]: worker! }, () => clock.now!, quiet)

/** The tags that the renderer hears after some time, in milliseconds, each as often as it hears it. */
async function heard(afterMs = 2_000): Promise<string[]> {
  received.length = 0
  clock.now = new Date(clock.now!.getTime() + afterMs)
  await loop.runDue()
  return received.toSorted()
}

async function send(request: string, body?: unknown) {
  const answer = await ada(request, body)
  assert(answer.status < 300, `${request}: ${answer.text}`)
  return answer.body
}

// Imports need a range of addresses, which this world has not.
const space = await send(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Docs', editMode: 'live' })
const at = `/v1/spaces/${space.id}`
const site = await send(`POST /v1/orgs/${organizationId}/sites`, { title: 'Site', spaces: [space.id] })
const siteAt = `/v1/orgs/${organizationId}/sites/${site.id}`
const page = (title: string) => ({
  changes: [{ operation: 'insert_page', title, document: { markdown: 'Text.' } }],
})

test('the renderer hears of a publication, of content and of a merge, each tag once for changes together', async () => {
  await heard()
  const published = await send(`POST ${siteAt}/publish`)
  assert.deepEqual(await heard(), [`site:${site.id}`])

  await send(`POST ${at}/content`, page('One'))
  await send(`POST ${at}/content`, page('Two'))
  assert.deepEqual(await heard(100), [], 'they are sent together')
  assert.deepEqual(await heard(), [`space:${space.id}`])

  const draft = await send(`POST ${at}/change-requests`, { subject: 'Three' })
  await send(`POST ${at}/change-requests/${draft.id}/content`, page('Three'))
  assert.deepEqual(await heard(), [`space:${space.id}:change-request:${draft.id}`])
  await send(`POST ${at}/change-requests/${draft.id}/merge`)
  assert((await heard()).includes(`space:${space.id}`))
  assert.deepEqual(await heard(), [], 'each change is sent once')

  const read = await tokenCaller(world, published.urls.published)
  const { headers } = await read(`GET ${at}/content/pages`)
  assert.equal(headers.get('x-gitbook-cache-tag'), `site:${site.id},space:${space.id}`)
  assert.equal(headers.get('x-gitbook-cache-control'), 'max-age=86400')
  assert.equal((await ada(`GET ${at}`)).headers.get('x-gitbook-cache-tag'), null, 'only for readers')
})

test('the renderer hears of the settings of a space and of a site, and of a specification', async () => {
  await send(`PATCH ${at}`, { title: 'New' })
  assert.deepEqual(await heard(), [`space:${space.id}`])
  await send(`PUT ${siteAt}/customization`, { pdf: { enabled: true } })
  assert.deepEqual(await heard(), [`site:${site.id}`])

  const source = { text: JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: {} }) }
  await send(`PUT /v1/orgs/${organizationId}/openapi/shop`, { source })
  const { 'process-openapi': processing } = workers(services)
  await jobLoop(world.db, { 'process-openapi': processing! }, () => clock.now!, quiet).runDue()
  assert.deepEqual(await heard(), [`organization:${organizationId}:openapi:shop`])
})

test('a renderer that fails hears of the change later', async () => {
  status = 500
  await send(`PATCH ${at}`, { title: 'Newer' })
  assert.deepEqual(await heard(), [`space:${space.id}`])
  status = 200
  assert.deepEqual(await heard(500), [], 'not at once')
  assert.deepEqual(await heard(5_000), [`space:${space.id}`])
  assert.deepEqual(await heard(60_000), [])
})

test('the renderer hears that a site is deleted', async () => {
  await send(`DELETE ${siteAt}`)
  assert.deepEqual(await heard(), [`site:${site.id}`])
})

test('the address and the secret of a renderer belong together', () => {
  for (const env of [
    { LECTERN_RENDERER_URL: 'https://docs.example.com' },
    { LECTERN_RENDERER_SECRET: SECRET },
  ])
    assert.throws(() => readConfig(env), /LECTERN_RENDERER_URL and LECTERN_RENDERER_SECRET together/)
})

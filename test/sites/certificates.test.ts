/** What a proxy may request a certificate for. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const records = new Map<string, string[]>()
const world = await createWorld(
  { LECTERN_URL: 'https://lectern.example.com', LECTERN_SITES_HOST: 'docs.example.com' },
  { resolveTxt: async (name) => records.get(name) ?? [] },
)
const { organizationId } = world
// The public host does not exist, so the requests go to the server itself, as those of a proxy do.
const { port } = world.app.server.server.address() as AddressInfo

async function send(request: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = request.split(' ')
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
const ada = (request: string, body?: unknown) =>
  send(request, body, { authorization: `Bearer ${world.ada.token}` })
const ask = (domain: string) => send(`GET /v1/certificates/ask?domain=${encodeURIComponent(domain)}`)

test('a certificate is for a host name that the installation serves', async () => {
  const { hostname } = (await ada(`GET /v1/orgs/${organizationId}`)).body
  for (const domain of ['lectern.example.com', 'Lectern.Example.com', `${hostname}.docs.example.com`]) {
    const { status, body } = await ask(domain)
    assert.deepEqual([status, body], [200, { domain }])
  }
  for (const domain of [
    'docs.example.com',
    'other.docs.example.com',
    `x.${hostname}.docs.example.com`,
    `u@${hostname}.docs.example.com`,
    `${hostname}.docs.example.com/x`,
    `${hostname}.docs.example.com.`,
    'example.com',
    '127.0.0.1',
    '[::1]',
    ' ',
    'a'.repeat(1000),
  ])
    assert.equal((await ask(domain)).status, 404, domain)
  assert.equal((await send('GET /v1/certificates/ask')).status, 400)
})

test('a custom host name has a certificate while it is verified and its site published', async () => {
  const sites = `/v1/orgs/${organizationId}/sites`
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Manual' })).body
  const site = `${sites}/${(await ada(`POST ${sites}`, { title: 'Manual', spaces: [space.id] })).body.id}`
  assert.equal((await ada(`POST ${site}/publish`)).status, 200)
  const host = 'manual.example.org'
  assert.equal((await ada(`PATCH ${site}`, { hostname: host })).status, 200)
  const unverified = await ask(host)
  assert.equal(unverified.status, 404)
  const unknown = await ask('unknown.example.org')
  assert.deepEqual(unverified.body, unknown.body, 'a claim cannot be told from a name that nobody claimed')

  const { name, value } = (await ada(`GET /v1/custom-hostnames/${host}`)).body.verification
  records.set(name, [value])
  await ada(`PATCH /v1/custom-hostnames/${host}`)
  assert.equal((await ask(host)).status, 200)

  assert.equal((await ada(`POST ${site}/unpublish`)).status, 200)
  assert.equal((await ask(host)).status, 404)
  assert.equal((await ada(`POST ${site}/publish`)).status, 200)
  assert.equal((await ask(host)).status, 200)

  records.clear()
  await ada(`PATCH /v1/custom-hostnames/${host}`)
  assert.equal((await ask(host)).status, 404)
})

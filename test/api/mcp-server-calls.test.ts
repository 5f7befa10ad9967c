/**
 * The calls of a public MCP server for people who write documentation, whose only setting is the base URL: each tool whose
 * operation we have succeeds. It names JSON as the type of every request, also of those without a body.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insert } from '../batches.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { PNG } from '../picture.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const { token } = (await ada('POST /v1/user/tokens', { label: 'Assistant' })).body
const reviewer = await world.person('reviewer', 'review')
const { spaceId } = await spaceWith(
  world,
  archiveOf({
    'README.md': '# Home\n\n[Install](guides/install.md) ![a](a.png)\n',
    'guides/install.md': '# Install\n\n[Home](../README.md)\n',
    'a.png': PNG,
  }),
)
const space = `/spaces/${spaceId}`
const org = `/orgs/${organizationId}`

/** Sends a request as the MCP server does. @returns the JSON of the response, or its text */
async function call(request: string, body?: object) {
  const [method = '', path = ''] = request.split(' ')
  const response = await fetch(`${world.url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  assert(response.ok, `${request}: ${response.status} ${text}`)
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
}

test('spaces, collections and organizations', async () => {
  assert.equal((await call(`GET ${space}`)).id, spaceId)
  assert.equal((await call(`PATCH ${space}`, { title: 'Manual' })).title, 'Manual')
  assert.equal((await call(`POST ${org}/spaces`, { title: 'Another' })).title, 'Another')
  assert.notEqual((await call(`POST ${space}/duplicate`)).id, spaceId)
  assert.equal((await call(`GET ${org}/spaces?limit=2`)).items.length, 2)
  assert.equal((await call(`GET ${org}`)).id, organizationId)
  assert.deepEqual((await call(`GET ${org}/collections?limit=5`)).items, [])
})

test('pages, their links, files and search', async () => {
  const { pages } = await call(`GET ${space}/content`)
  const [home] = pages
  assert.equal((await call(`GET ${space}/content/pages?limit=5`)).pages.length, pages.length)
  assert.equal((await call(`GET ${space}/content/page/${home.id}`)).title, 'Home')
  assert.equal((await call(`GET ${space}/content/path/guides/install`)).title, 'Install')
  assert.equal(typeof (await call(`GET ${space}/content/page/${home.id}/links`)), 'object')
  assert.equal(typeof (await call(`GET ${space}/content/page/${home.id}/backlinks`)), 'object')
  const { items } = await call(`GET ${space}/content/files`)
  assert.equal((await call(`GET ${space}/content/files/${items[0].id}`)).name, 'a.png')
  assert.equal(typeof (await call(`GET ${space}/search?query=install&limit=3`)).count, 'number')
})

test('a change request from its beginning to its merge', async () => {
  const made = await call(`POST ${space}/change-requests`, { subject: 'Clearer' })
  const at = `${space}/change-requests/${made.id}`
  const named = await call(`GET ${space}/change-requests/${made.number}`)
  assert.equal(named.id, made.id)
  assert.equal((await call(`GET ${at}/content`)).pages.length > 0, true)
  assert.equal((await call(`PATCH ${at}`, { subject: 'Clear', status: 'open' })).status, 'open')
  // Without a status, the list has those that are open.
  assert.equal((await call(`GET ${space}/change-requests?limit=5`)).items.length, 1)
  await call(`POST ${at}/update`)
  await call(`POST ${at}/requested-reviewers`, { users: [reviewer.id] })
  assert.equal((await call(`GET ${at}/requested-reviewers`)).items.length, 1)
  await call(`DELETE ${at}/requested-reviewers/${reviewer.id}`)
  assert.equal((await call(`POST ${at}/reviews`, { status: 'approved' })).status, 'approved')
  assert.equal((await call(`GET ${at}/reviews`)).items.length, 1)
  const written = await ada(`POST /v1${at}/content`, { changes: [insert('# New\n\nText.\n')] })
  assert(written.status < 300, written.text)
  const merged = await call(`POST ${at}/merge`)
  assert.equal(merged.result, 'merge')
})

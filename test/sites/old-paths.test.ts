/** Redirects from the old paths of pages on a site. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insert, update } from '../batches.ts'
import { archiveOf, importArchive, publish } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world

const { body: made } = await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'M', editMode: 'live' })
const space = `/v1/spaces/${made.id}`
const imported = await importArchive(
  world,
  made.id,
  archiveOf({
    'SUMMARY.md':
      '# Contents\n\n* [Home](README.md)\n\n## Guides\n\n* [Guide](guide.md)\n  * [Setup](guide/setup.md)\n* [Notes](notes.md.md)\n* [Members](members.md)\n',
    'README.md': '# Home\n\n[setup](guide/setup.md#part) and [by path](/pages/guides/guide/setup)\n',
    'guide.md': '# Guide\n',
    'guide/setup.md': '# Setup\n\nBack to the [guide](../guide.md)\n',
    'notes.md.md': '# Notes\n',
    'members.md': '---\nif: visitor.claims.member == true\n---\n\n# Members\n',
    '.gitbook.yaml': 'redirects:\n  away: https://example.com/\n',
  }),
)
assert.equal(imported.status, 201, imported.text)
const { address } = await publish(world, made.id, 'Manual')
const { hostname } = (await ada(`GET /v1/orgs/${organizationId}`)).body
const base = `/sites/${hostname}${new URL(address).pathname}`
const get = (path: string) => world.nobody(`GET ${base}${path}`)

const idAt = async (path: string) =>
  (await ada(`GET ${space}/content/path/${encodeURIComponent(path)}`)).body.id as string
const change = async (...changes: object[]) => {
  const answer = await ada(`POST ${space}/content`, { changes })
  assert.equal(answer.status, 200, answer.text)
}
await change(
  update(await idAt('guides/guide'), { slug: 'manual' }),
  update(await idAt('guides/notes.md'), { slug: 'remarks' }),
  update(await idAt('guides/members'), { slug: 'us' }),
)
await change(update(await idAt('guides/manual'), { into: null, slug: 'book' }))

const leads = async (from: string) => {
  const { status, headers } = await get(from)
  return [status, headers.get('location')?.replace(base, '/')]
}

test('an old path redirects with 301 to the current URL of the page, in one step, in any case', async () => {
  const moved = [
    ['guides/guide', '/book'],
    ['guides/manual', '/book'],
    ['Guides/GUIDE/', '/book'],
    ['guides/guide/setup', '/book/setup'],
    ['guides/manual/SETUP', '/book/setup'],
    ['guides/notes.md', '/guides/remarks'],
  ]
  for (const [from = '', to] of moved) assert.deepEqual(await leads(from), [301, to], from)
  assert.equal((await get('book/setup')).status, 200)
})

test('the Markdown of a page is also found by its old path', async () => {
  for (const from of ['guides/guide/setup.md', 'GUIDES/manual/Setup.MD', 'book/setup.MD'])
    assert.deepEqual(await leads(from), [301, '/book/setup.md'], from)
  assert.match((await get('book/setup.md')).text, /^# Setup/)
})

test('the path of the file of a page redirects to the page, if no page has or had the path', async () => {
  assert.deepEqual(await leads('guide'), [301, '/book'])
  assert.deepEqual(await leads('guide/Setup.md'), [301, '/book/setup.md'])
  assert.deepEqual(await leads('members'), [404, undefined], 'a page that the reader may not see')
})

test('the query is kept in a redirect, but not to another site', async () => {
  assert.deepEqual(await leads('guides/guide/setup?q=a%20b&c'), [301, '/book/setup?q=a%20b&c'])
  assert.deepEqual(await leads('BOOK?x'), [301, '/book?x'])
  assert.deepEqual(await leads('away?x'), [301, 'https://example.com/'])
})

test('an old path reveals nothing about a page that the visitor cannot see', async () => {
  for (const path of ['guides/members', 'guides/us', 'guides/members.md', 'guides/nothing', 'manual'])
    assert.deepEqual(await leads(path), [404, undefined], path)
})

test('links on other pages use the new URL at once', async () => {
  const { text } = await get('')
  assert(text.includes(`href="${base}book/setup#part"`), 'by file')
  assert(text.includes(`href="${base}book/setup"`), 'by an old path')
  assert((await get('book/setup')).text.includes(`href="${base}book"`))
})

test('a new page at an old path is served there, and deleting it restores the redirect', async () => {
  const group = await idAt('guides')
  await change(insert('# Another', { slug: 'guide', into: group }))
  assert.match((await get('guides/guide')).text, /Another/)
  assert.deepEqual(await leads('guides/guide/setup'), [301, '/book/setup'])
  await change({ operation: 'delete_page', page: await idAt('guides/guide') })
  assert.deepEqual(await leads('guides/guide'), [301, '/book'])
})

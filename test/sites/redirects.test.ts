/** Redirects that an editor configured, on the published site. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insert } from '../batches.ts'
import { archiveOf, importArchive } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world

const newSpace = async (title: string) =>
  (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title, editMode: 'live' })).body.id as string
const spaceId = await newSpace('Main')
const imported = await importArchive(
  world,
  spaceId,
  archiveOf({
    'SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [Members](members.md)\n',
    'README.md': '# Home\n',
    'guide.md': '# Guide\n',
    'members.md': '---\nif: visitor.claims.member == true\n---\n\n# Members\n',
  }),
)
assert.equal(imported.status, 201, imported.text)
const emptyId = await newSpace('Empty')
const site = (
  await ada(`POST /v1/orgs/${organizationId}/sites`, { title: 'Manual', spaces: [spaceId, emptyId] })
).body
const path = `/v1/orgs/${organizationId}/sites/${site.id}`
await ada(`POST ${path}/publish`)
const { hostname } = (await ada(`GET /v1/orgs/${organizationId}`)).body
const base = `/sites/${hostname}/${site.basename}/`
const [main, empty] = (await ada(`GET ${path}/site-spaces`)).body.items.map(
  ({ id }: { id: string }) => id,
) as [string, string]
const pageId = async (at: string) =>
  (await ada(`GET /v1/spaces/${spaceId}/content/path/${at}`)).body.id as string
const guide = { kind: 'site-page', siteSpaceId: main, pageId: await pageId('guide') }
const members = { kind: 'site-page', siteSpaceId: main, pageId: await pageId('members') }
const toSpace = (siteSpaceId: string) => ({ kind: 'site-space', siteSpaceId })
const external = (url: string) => ({ kind: 'external', url })

const redirect = async (source: string, destination: object, more: object = {}) => {
  const answer = await ada(`PUT ${path}/redirects`, {
    redirects: [{ source, destination, permanent: true, ...more }],
  })
  assert.notEqual(answer.body.results[0].status, 'error', answer.text)
}
const leads = async (from: string) => {
  const { status, headers } = await world.nobody(`GET ${base}${from}`)
  return [status, headers.get('location')?.replace(base, '/')]
}

test('a redirect is served at once, permanent or temporary, with the query', async () => {
  assert.deepEqual(await leads('old'), [404, undefined])
  await redirect('/old', guide)
  assert.deepEqual(await leads('old'), [308, '/guide'])
  assert.deepEqual(await leads('OLD/?a=1'), [308, '/guide?a=1'])
  await redirect('/old', guide, { permanent: false })
  assert.deepEqual(await leads('old'), [307, '/guide'])
  await redirect('/root', toSpace(main))
  assert.deepEqual(await leads('root'), [308, '/'])
  await ada(`PUT ${path}/redirects`, { redirects: [{ source: '/old', destination: null }] })
  assert.deepEqual(await leads('old'), [404, undefined])
})

test('a page precedes a redirect, and a redirect the former path of a page', async () => {
  await redirect('/guide', external('https://example.com/'))
  assert.deepEqual(await leads('guide'), [200, undefined])
  const change = (one: object) => ada(`POST /v1/spaces/${spaceId}/content`, { changes: [one] })
  await change({ operation: 'update_page', page: guide.pageId, slug: 'book' })
  assert.deepEqual(await leads('guide'), [308, 'https://example.com/'])
  await ada(`PUT ${path}/redirects`, { redirects: [{ source: '/guide', destination: null }] })
  assert.deepEqual(await leads('guide'), [301, '/book'])
  await redirect('/*', external('https://example.com/'))
  assert.deepEqual(await leads('guide'), [301, '/book'], 'a former path precedes a wildcard')
  assert.deepEqual(await leads('unknown'), [308, 'https://example.com/'])
  await ada(`PUT ${path}/redirects`, { redirects: [{ source: '/*', destination: null }] })
  await change({ operation: 'update_page', page: guide.pageId, slug: 'guide' })
})

test('a wildcard adds what it matched, and leads to no other host than the one that was configured', async () => {
  await redirect('/v1/*', external('https://example.com/docs'), { captureWildcard: true })
  await redirect('/v1/one/*', toSpace(main), { captureWildcard: true })
  assert.deepEqual(await leads('v1/a/B%20c'), [308, 'https://example.com/docs/a/B%20c'])
  assert.deepEqual(await leads('v1'), [308, 'https://example.com/docs'])
  assert.deepEqual(await leads('v1/one/guide'), [308, '/guide'])
  for (const hostile of ['//evil.example', '/%2Fevil.example', '/%5Cevil.example', '/@evil.example'])
    for (const prefix of ['v1', 'v1/one']) {
      const [, location = ''] = await leads(prefix + hostile)
      const { host } = new URL(String(location), 'https://site.example/')
      assert(['site.example', 'example.com'].includes(host), `${prefix}${hostile}: ${location}`)
    }
  const raw = await world.nobody(`GET ${base}v1/%2e%2e/%2e%2e/secret`)
  assert.doesNotMatch(raw.headers.get('location') ?? '', /example\.com\/secret/)
})

test('a redirect to what the reader cannot see, or to a space without pages, is not there', async () => {
  await redirect('/us', members)
  await redirect('/empty', toSpace(main))
  await redirect('/blank', toSpace(empty))
  assert.deepEqual(await leads('us'), [404, undefined])
  assert.deepEqual(await leads('blank'), [404, undefined])
  await ada(`POST /v1/spaces/${emptyId}/content`, { changes: [insert('# First')] })
  assert.deepEqual(await leads('blank'), [308, '/empty/'])
})

test('a chain is followed in one step', async () => {
  await redirect('/b1/*', toSpace(empty), { captureWildcard: true })
  await redirect('/empty/x/*', guide, { permanent: false })
  assert.deepEqual(await leads('b1/x/y'), [307, '/guide'])
  assert.deepEqual(await leads('b1/z'), [308, '/empty/z'])
  assert.deepEqual(await leads('empty/z'), [404, undefined])
})

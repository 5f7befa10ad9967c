/** The drafts of a site: parts that its members see, and no reader. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'
import { tokenCaller } from './renderer-site.ts'

const world = await createWorld()
const { ada, organizationId } = world

const spaceOf = async (title: string) =>
  (await spaceWith(world, archiveOf({ 'README.md': `# ${title}\n\nText.\n` }), title)).spaceId

const [guides, beta, api, command] = (await Promise.all(
  ['Guides', 'Beta', 'API', 'Command line'].map(spaceOf),
)) as [string, string, string, string]
const site = (
  await ada(`POST /v1/orgs/${organizationId}/sites`, { title: 'Handbook', spaces: [guides, beta] })
).body
const at = `/v1/orgs/${organizationId}/sites/${site.id}`
const section = (await ada(`POST ${at}/sections`, { spaceId: api, title: 'API' })).body
const other = (await ada(`POST ${at}/sections`, { spaceId: command, title: 'Command line' })).body
const inner = (await ada(`POST ${at}/section-groups`, { title: 'Inner', sections: [other.id] })).body
const outer = (await ada(`POST ${at}/section-groups`, { title: 'Outer' })).body
await world.db.write((tx) =>
  tx.updateTable('siteSectionGroup').set({ parent: outer.id }).where('id', '=', inner.id).execute(),
)
const variant = (await ada(`GET ${at}/site-spaces`)).body.items.find(
  (one: { space: { id: string } }) => one.space.id === beta,
)
const { published } = (await ada(`POST ${at}/publish`)).body.urls as { published: string }
const base = `${world.url}/sites/docs${new URL(published).pathname}`
const statusOf = async (path: string) => (await fetch(base + path, { redirect: 'manual' })).status

/** The response to the address of a preview, which puts its token into a cookie. */
async function previewed(path: string): Promise<Response> {
  const { url } = (await ada(`GET ${at}/publishing/preview`)).body as { url: string }
  const token = new URL(url).searchParams.get('preview')
  return fetch(`${base}${path}?preview=${token}`, { redirect: 'manual' })
}

/** What a reader who previews the site gets at a path. */
async function seenInPreview(path: string): Promise<Response> {
  const first = await previewed(path)
  const cookie = first.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return fetch(base + path, { redirect: 'manual', headers: { cookie } })
}

const PARTS: [string, string, string, string][] = [
  ['a space', `${at}/site-spaces/${variant.id}`, 'beta/', 'Beta'],
  ['a section', `${at}/sections/${section.id}`, 'api/', 'API'],
  ['a group', `${at}/section-groups/${inner.id}`, 'command-line/', 'Command line'],
  ['a group around another', `${at}/section-groups/${outer.id}`, 'command-line/', 'Command line'],
]
for (const [name, part, path, title] of PARTS)
  test(`no reader sees ${name} that is a draft, and its members do`, async () => {
    assert.equal(await statusOf(path), 200)
    const drafted = await ada(`PATCH ${part}`, { draft: true })
    assert.deepEqual([drafted.status, drafted.body.draft], [200, true], drafted.text)
    assert.equal(await statusOf(path), 404)
    const start = await (await fetch(base)).text()
    assert.match(start, /Guides/)
    assert.doesNotMatch(start, new RegExp(title))
    assert.doesNotMatch(await (await fetch(`${base}llms.txt`)).text(), new RegExp(title))
    assert.deepEqual((await ada(`GET ${part}`)).body.draft, true)
    const hidden = await world.nobody('POST /v1/urls/published', { url: published + path })
    assert.notEqual(hidden.body.siteSpace, variant.id)

    const seen = await seenInPreview(path)
    assert.equal(seen.status, 200)
    assert.match(await (await seenInPreview('')).text(), new RegExp(title))

    assert.equal((await ada(`PATCH ${part}`, { draft: false })).body.draft, false)
    assert.equal(await statusOf(path), 200)
  })

test('parts are created as drafts', async () => {
  const spaceId = await spaceOf('New')
  const made = await ada(`POST ${at}/sections`, { spaceId, title: 'New', draft: true })
  assert.deepEqual([made.body.draft, made.body.urls.published], [true, undefined], made.text)
  const group = await ada(`POST ${at}/section-groups`, { title: 'Later', draft: true })
  assert.equal(group.body.draft, true)
  const spare = await spaceOf('Spare')
  const added = await ada(`POST ${at}/site-spaces`, { spaceId: spare, sectionId: section.id, draft: true })
  assert.deepEqual([added.body.draft, added.body.urls.published], [true, undefined])
})

test('a preview shows a link that is a draft, also over the API, and other readers do not see it', async () => {
  const link = { title: 'Drafted shop', url: 'https://example.com/shop', draft: true }
  const made = await ada(`POST ${at}/external-links`, link)
  assert.equal(made.status, 201, made.text)
  const read = async (url: string) => {
    const call = await tokenCaller(world, url)
    return (await call(`GET ${at}/published`)).text
  }
  const { url } = (await ada(`GET ${at}/publishing/preview`)).body
  assert.match(await read(url), /Drafted shop/)
  assert.match(await (await seenInPreview('')).text(), /Drafted shop/)
  assert.doesNotMatch(await read(published), /Drafted shop/)
  assert.doesNotMatch(await (await fetch(base)).text(), /Drafted shop/)
  assert.equal((await ada(`DELETE ${at}/external-links/${made.body.id}`)).status, 205)
})

test('a redirect that is a draft redirects nobody until it is none', async () => {
  const to = { destination: { kind: 'external', url: 'https://example.com/' } }
  const made = (await ada(`POST ${at}/redirects`, { source: '/old', ...to, draft: true })).body
  assert.deepEqual([made.draft, made.permanent], [true, false])
  assert.equal(await statusOf('old'), 404)
  assert.equal((await ada(`GET ${at}/redirect?source=/old`)).status, 404)
  assert.equal((await seenInPreview('old')).headers.get('location'), 'https://example.com/')
  const preview = await tokenCaller(world, (await ada(`GET ${at}/publishing/preview`)).body.url)
  assert.equal((await preview(`GET ${at}/redirect?source=/old`)).status, 200)
  assert.equal((await ada(`PATCH ${at}/redirects/${made.id}`, { draft: false })).body.draft, false)
  assert.equal(await statusOf('old'), 307)
  const { results } = (
    await ada(`PUT ${at}/redirects`, { redirects: [{ source: '/old', ...to, intent: 'draft' }] })
  ).body
  assert.deepEqual([results[0].status, results[0].draft], ['updated', true])
  assert.equal(await statusOf('old'), 404)
})

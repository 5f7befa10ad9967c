import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const sites = `/v1/orgs/${organizationId}/sites`
const stranger = await world.stranger('mallory')

test('a new site is public, basic, not published, and has an address made from its title', async () => {
  const { status, body, headers } = await ada(`POST ${sites}`, { title: 'Our Handbook', spaces: 'empty' })
  assert.equal(status, 201)
  assert.equal(headers.get('location'), body.urls.location)
  assert.deepEqual(
    [body.type, body.visibility, body.published, body.siteSpaces],
    ['basic', 'public', false, 1],
  )
  assert.equal(body.basename, 'our-handbook')
  assert.equal(body.urls.published, undefined)
  const second = await ada(`POST ${sites}`, { title: 'Our Handbook', spaces: [] })
  assert.notEqual(second.body.basename, body.basename)
})

test('"sample" makes a space with pages that show what a page can hold', async () => {
  const { body } = await ada(`POST ${sites}`, { title: 'Sample', spaces: 'sample' })
  const { structure } = (await ada(`GET ${sites}/${body.id}/published`)).body
  const [{ space }] = structure.structure
  const { pages } = (await ada(`GET /v1/spaces/${space.id}/content`)).body
  assert.deepEqual(
    pages.map(({ title, path }: { title: string; path: string }) => [title, path]),
    [
      ['Welcome', 'readme'],
      ['What a page can hold', 'blocks'],
    ],
  )
  const { document } = (await ada(`GET /v1/spaces/${space.id}/content/page/${pages[0].id}`)).body
  assert(JSON.stringify(document).includes(`"page":"${pages[1].id}"`))
})

test('a site without a space has nothing to publish', async () => {
  const { body } = await ada(`POST ${sites}`, { title: 'Empty' })
  assert.equal((await ada(`POST ${sites}/${body.id}/publish`)).status, 409)
})

test('publishing and taking down can be repeated', async () => {
  const { body } = await ada(`POST ${sites}`, { title: 'Twice', spaces: 'empty' })
  for (const _ of [1, 2]) assert.equal((await ada(`POST ${sites}/${body.id}/publish`)).body.published, true)
  for (const _ of [1, 2])
    assert.equal((await ada(`POST ${sites}/${body.id}/unpublish`)).body.published, false)
})

test('lists by space, title and whether it is published', async () => {
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`)).body
  const { body } = await ada(`POST ${sites}`, { title: '100%_Sure', spaces: [space.id] })
  const ids = async (query: string) =>
    (await ada(`GET ${sites}?${query}`)).body.items.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids(`space=${space.id}`), [body.id])
  assert.deepEqual(await ids(`title=${encodeURIComponent('100%_s')}`), [body.id])
  assert.deepEqual(await ids('title=%25%25'), [])
  await ada(`POST ${sites}/${body.id}/publish`)
  assert((await ids('published=true')).includes(body.id))
  assert(!(await ids('published=false')).includes(body.id))
})

test('changes a site; its address is its own', async () => {
  const first = (await ada(`POST ${sites}`, { title: 'First', spaces: 'empty' })).body
  const second = (await ada(`POST ${sites}`, { title: 'Second', spaces: 'empty' })).body
  const taken = await ada(`PATCH ${sites}/${second.id}`, { basename: first.basename, title: 'Changed' })
  assert.equal(taken.status, 409)
  assert.equal((await ada(`GET ${sites}/${second.id}`)).body.title, 'Second')

  const proxied = (
    await ada(`PATCH ${sites}/${first.id}`, { proxy: 'example.com/docs', adaptiveContent: { enabled: true } })
  ).body
  assert.equal(proxied.proxy.target, 'example.com/docs')
  assert.equal(proxied.adaptiveContent.enabled, true)
  assert.equal((await ada(`PATCH ${sites}/${first.id}`, { proxy: null })).body.proxy, undefined)
  const faults = [
    { basename: '' },
    { basename: 'a/b' },
    { title: 'x' },
    { proxy: 'nowhere' },
    { visibility: 'secret' },
  ]
  for (const body of faults)
    assert.equal((await ada(`PATCH ${sites}/${first.id}`, body)).status, 400, JSON.stringify(body))
})

test('the default space is one of the site', async () => {
  const one = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'One' })).body
  const two = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Two' })).body
  const { body } = await ada(`POST ${sites}`, { title: 'Both', spaces: [one.id, two.id] })
  const structure = async () => (await ada(`GET ${sites}/${body.id}/published`)).body.structure.structure
  const [first, second] = await structure()
  assert.deepEqual([first.default, second.default, second.path], [true, false, 'two'])

  assert.equal((await ada(`PATCH ${sites}/${body.id}`, { defaultSiteSpace: second.id })).status, 200)
  assert.deepEqual(
    (await structure()).map((space: { default: boolean }) => space.default),
    [false, true],
  )
  assert.equal((await ada(`PATCH ${sites}/${body.id}`, { defaultSiteSpace: 'nothing' })).status, 400)
})

test('nobody publishes a space of somebody else', async () => {
  const mine = (await ada(`POST /v1/orgs/${organizationId}/spaces`)).body
  const theirs = `/v1/orgs/${stranger.organizationId}/sites`
  assert.equal((await stranger(`POST ${theirs}`, { spaces: [mine.id] })).status, 404)
  const both = await world.person('both', 'admin')
  const other = (await both('POST /v1/orgs', { title: 'Other' })).body
  assert.equal((await both(`POST /v1/orgs/${other.id}/sites`, { spaces: [mine.id] })).status, 400)
  const reader = await world.person('maker', 'create')
  await ada(`PATCH /v1/spaces/${mine.id}`, { defaultLevel: 'read' })
  assert.equal((await reader(`POST ${sites}`, { spaces: [mine.id] })).status, 403)
  await ada(`PATCH /v1/spaces/${mine.id}`, { defaultLevel: null })
  assert.equal((await reader(`POST ${sites}`, { spaces: [mine.id] })).status, 404)
})

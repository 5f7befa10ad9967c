import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const sites = `/v1/orgs/${organizationId}/sites`
const stranger = await world.stranger('mallory')
const newSpace = async (title: string) =>
  (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title })).body

test('a new site is public, basic and unpublished, and has a URL made from its title', async () => {
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

test('"sample" creates a space with pages that show every kind of content', async () => {
  const { body } = await ada(`POST ${sites}`, { title: 'Sample', spaces: 'sample' })
  const { structure } = (await ada(`GET ${sites}/${body.id}/published`)).body
  const [{ space }] = structure.structure
  const { pages } = (await ada(`GET /v1/spaces/${space.id}/content`)).body
  assert.deepEqual(
    pages.map(({ title, path }: { title: string; path: string }) => [title, path]),
    [
      ['Welcome', 'readme'],
      ['Blocks in a page', 'blocks'],
    ],
  )
  const { document } = (await ada(`GET /v1/spaces/${space.id}/content/page/${pages[0].id}`)).body
  assert(JSON.stringify(document).includes(`"page":"${pages[1].id}"`))
})

test('refuses to publish a site without a space', async () => {
  const { body } = await ada(`POST ${sites}`, { title: 'Empty' })
  assert.equal((await ada(`POST ${sites}/${body.id}/publish`)).status, 409)
})

test('publishing and unpublishing can be repeated', async () => {
  const { body } = await ada(`POST ${sites}`, { title: 'Twice', spaces: 'empty' })
  for (const _ of [1, 2]) assert.equal((await ada(`POST ${sites}/${body.id}/publish`)).body.published, true)
  for (const _ of [1, 2])
    assert.equal((await ada(`POST ${sites}/${body.id}/unpublish`)).body.published, false)
})

test('lists can be filtered by space, title and publication', async () => {
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

test('changes a site; its URL must be unique', async () => {
  const first = (await ada(`POST ${sites}`, { title: 'First', spaces: 'empty' })).body
  assert.equal(first.basename, 'first')
  const second = (await ada(`POST ${sites}`, { title: 'Second', spaces: 'empty' })).body
  const taken = await ada(`PATCH ${sites}/${second.id}`, { basename: first.basename, title: 'Changed' })
  assert.equal(taken.status, 409)
  assert.equal((await ada(`GET ${sites}/${second.id}`)).body.title, 'Second')

  const proxied = (
    await ada(`PATCH ${sites}/${first.id}`, { proxy: 'example.com/docs', adaptiveContent: { enabled: true } })
  ).body
  assert.equal(proxied.proxy.origin, 'example.com/docs')
  assert.match(proxied.proxy.target, /^http:\/\/docs\.localhost:\d+\/first\/$/)
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

test('the default space must be a space of the site', async () => {
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
  for (const field of ['defaultSiteSpace', 'defaultSiteSection']) {
    const unknown = await ada(`PATCH ${sites}/${body.id}`, { title: 'Unseen', [field]: 'nothing' })
    assert.equal(unknown.status, 400, field)
    const { message, details } = unknown.body.error
    assert.match(message, new RegExp(`body\\.${field} .*"nothing"`))
    assert.equal(details[0].path, `body.${field}`)
  }
  assert.equal((await ada(`GET ${sites}/${body.id}`)).body.title, 'Both')
})

test('while the default space is in the trash, the next space is the default, at the URL of the site', async () => {
  const [one, two, three] = await Promise.all(
    ['One', 'Two', 'Three'].map(async (title) => (await newSpace(title)).id as string),
  )
  const { body } = await ada(`POST ${sites}`, { title: 'Three', spaces: [one, two, three] })
  const { published: address } = (await ada(`POST ${sites}/${body.id}/publish`)).body.urls
  // The URL of each space, without the URL of the site.
  const suffixes = () =>
    Promise.all(
      [one, two, three].map(async (space) => {
        const { body: found } = await ada(`GET /v1/spaces/${space}`)
        return found.urls?.published?.replace(address, '')
      }),
    )
  const structure = async () =>
    (await ada(`GET ${sites}/${body.id}/published`)).body.structure.structure as {
      id: string
      default: boolean
      space: { id: string; urls: { published: string } }
      urls: { published: string }
    }[]

  assert.deepEqual(await suffixes(), ['', 'two/', 'three/'])
  const [first] = await structure()
  assert.equal((await ada(`DELETE /v1/spaces/${one}`)).status, 205)
  assert.deepEqual(await suffixes(), [undefined, '', 'three/'])
  const left = await structure()
  assert.deepEqual(
    left.map((siteSpace) => [siteSpace.space.id, siteSpace.default, siteSpace.urls.published]),
    [
      [two, true, address],
      [three, false, `${address}three/`],
    ],
  )
  for (const { space, urls } of left) assert.equal(space.urls.published, urls.published)
  assert.equal((await ada(`PATCH ${sites}/${body.id}`, { defaultSiteSpace: first?.id })).status, 400)

  assert.equal((await ada(`POST /v1/spaces/${one}/restore`)).status, 200)
  assert.deepEqual(await suffixes(), ['', 'two/', 'three/'])
})

test('the new space of a site has its title, which is never cut inside a character', async () => {
  const title = `${'a'.repeat(47)}👨‍👩‍👧 family`
  const { body } = await ada(`POST ${sites}`, { title, spaces: 'empty' })
  const { structure } = (await ada(`GET ${sites}/${body.id}/published`)).body.structure
  assert.equal(structure[0].space.title, 'a'.repeat(47))

  const letters = '𝔘'.repeat(100)
  const long = await ada(`POST ${sites}`, { title: `x${letters}`, spaces: 'empty' })
  assert.equal(long.status, 201, long.text)
  assert.equal(long.body.basename, `x${letters}`.slice(0, 1 + 2 * 59))
})

test('sites do not show a space that the member cannot see, unless visitors can', async () => {
  const [shown, hidden] = [await newSpace('Shown'), await newSpace('Hidden')]
  await ada(`PATCH /v1/spaces/${hidden.id}`, { defaultLevel: null })
  const { body } = await ada(`POST ${sites}`, { title: 'Half', spaces: [shown.id, hidden.id] })
  const reader = await world.person('reader', 'read')
  const site = `${sites}/${body.id}`
  const seenBy = async (person: typeof ada) => {
    const { structure } = (await person(`GET ${site}/published`)).body.structure
    const listed = await person(`GET ${sites}?space=${hidden.id}`)
    return {
      count: (await person(`GET ${site}`)).body.siteSpaces,
      titles: structure.map(({ title }: { title: string }) => title),
      filtered: [listed.body.count, listed.body.items.length],
    }
  }
  const all = { count: 2, titles: ['Shown', 'Hidden'], filtered: [1, 1] }
  const half = { count: 1, titles: ['Shown'], filtered: [0, 0] }
  assert.deepEqual(await seenBy(ada), all)
  assert.deepEqual(await seenBy(reader), half)

  await ada(`POST ${site}/publish`)
  assert.deepEqual(await seenBy(reader), all, 'no less than a stranger')
  const { structure } = (await reader(`GET ${site}/published`)).body.structure
  const { space } = structure[1]
  assert.deepEqual([...new Set(Object.values(space.permissions))], [false])
  assert.deepEqual([space.changeRequests, space.comments, space.defaultLevel], [0, 0, null])
  assert.equal((await reader(`GET /v1/spaces/${hidden.id}`)).status, 404)

  await ada(`PATCH ${site}`, { visibility: 'visitor-auth' })
  assert.deepEqual(await seenBy(reader), half)
})

test('the address of a site is short, and has the letters of its title', async () => {
  for (const [title, basename] of [
    ['Acme Cloud – The documentation of everything', 'acme-cloud'],
    ['Gardening: a handbook', 'gardening'],
    ['产品文档中心', '产品文档中心'],
    ['Документация – Акме', 'документация'],
    [
      'A very long title of a documentation that has many words in it',
      'a-very-long-title-of-a-documentation-that',
    ],
    ['– !', 'docs'],
  ])
    assert.equal((await ada(`POST ${sites}`, { title, spaces: 'empty' })).body.basename, basename)
})

test('refuses to publish a space that the caller may not publish', async () => {
  const mine = (await ada(`POST /v1/orgs/${organizationId}/spaces`)).body
  const theirs = `/v1/orgs/${stranger.organizationId}/sites`
  const unseen = await stranger(`POST ${theirs}`, { spaces: [mine.id] })
  const unknown = await stranger(`POST ${theirs}`, { spaces: ['nothing'] })
  assert.deepEqual([unseen.status, unknown.status], [400, 400])
  assert.equal(unseen.body.error.details[0].path, 'body.spaces.0')
  assert.equal(unseen.text.replaceAll(mine.id, 'nothing'), unknown.text, 'in the same words')
  const both = await world.person('both', 'admin')
  const other = (await both('POST /v1/orgs', { title: 'Other' })).body
  assert.equal((await both(`POST /v1/orgs/${other.id}/sites`, { spaces: [mine.id] })).status, 400)
  const reader = await world.person('maker', 'create')
  await ada(`PATCH /v1/spaces/${mine.id}`, { defaultLevel: 'read' })
  assert.equal((await reader(`POST ${sites}`, { spaces: [mine.id] })).status, 403)
  await ada(`PATCH /v1/spaces/${mine.id}`, { defaultLevel: null })
  assert.equal((await reader(`POST ${sites}`, { spaces: [mine.id] })).status, 400)
})

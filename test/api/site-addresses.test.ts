/** The addresses of sites in the API, and what members without a right of their own see of one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, type Person } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`

async function newSpace(title: string): Promise<string> {
  return (await ada(`POST ${org}/spaces`, { title })).body.id
}

async function newSite(fields: object) {
  const { body, text } = await ada(`POST ${org}/sites`, fields)
  assert(body.id, text)
  const at = `${org}/sites/${body.id}`
  await ada(`POST ${at}/publish`)
  return { id: body.id as string, at, basename: body.basename as string }
}

const publishedAt = async (at: string, person: Person) => (await person(`GET ${at}`)).body.urls.published

test('urls.published of a site with share links has a key for those who may see one, and is absent for others', async () => {
  const space = await newSpace('Partners')
  const { at } = await newSite({ title: 'Partners', visibility: 'share-link', spaces: [space] })
  const reader = await world.person('reader', 'read')
  const creator = await world.person('creator', 'create')
  for (const person of [reader, creator, ada]) assert.equal(await publishedAt(at, person), undefined)

  const { body: first } = await ada(`POST ${at}/share-links`, { name: 'one' })
  await ada(`POST ${at}/share-links`, { name: 'two' })
  for (const person of [creator, ada])
    assert.equal(await publishedAt(at, person), first.urls.published, 'the oldest link')
  assert.equal(await publishedAt(at, reader), undefined)
  const { items } = (await creator(`GET ${org}/sites?title=Partners`)).body
  assert.equal(items[0].urls.published, first.urls.published)
  const { body } = await creator(`GET ${at}/published`)
  assert.equal(body.structure.structure[0].urls.published, first.urls.published)

  const key = /share_\w+/.exec(first.urls.published)![0]
  const keyed = await reader(`GET ${at}/published?shareKey=${key}`)
  assert.equal(keyed.body.site.urls.published, first.urls.published)
  assert.equal(
    (await reader(`GET /v1/spaces/${space}?shareKey=${key}`)).body.urls.published,
    first.urls.published,
  )
  assert.equal((await reader(`GET /v1/spaces/${space}?shareKey=${key}a`)).body.urls.published, undefined)
  assert.equal((await reader(`GET /v1/spaces/${space}`)).body.urls.published, undefined)

  await ada(`PATCH ${at}/share-links/${first.id}`, { active: false })
  assert.notEqual(await publishedAt(at, ada), first.urls.published)
  const revoked = await reader(`GET ${at}/published?shareKey=${key}`)
  assert.deepEqual(revoked.body, (await reader(`GET ${at}/published`)).body, 'as without a key')
})

test('urls.published of a space names the site on which it is open, and not one that is closed', async () => {
  const space = await newSpace('Everywhere')
  const address = async () => (await ada(`GET /v1/spaces/${space}`)).body.urls.published as string | undefined
  const shared = await newSite({ title: 'Shared', visibility: 'share-link', spaces: [space] })
  await ada(`POST ${shared.at}/share-links`, { name: 'x' })
  assert.equal(await address(), undefined)
  const signedIn = await newSite({ title: 'Signed in', visibility: 'visitor-auth', spaces: [space] })
  assert.match((await address())!, /\/signed-in\/$/)
  assert.equal((await ada(`GET /v1/spaces/${space}`)).body.visibility, 'share-link')

  const gated = await newSite({ title: 'Gated', spaces: [space] })
  const [siteSpace] = (await ada(`GET ${gated.at}/site-spaces`)).body.items
  assert.match((await address())!, /\/gated\/$/)
  await ada(`PATCH ${gated.at}/site-spaces/${siteSpace.id}`, { condition: 'visitor.claims.staff == true' })
  assert.match((await address())!, /\/signed-in\/$/, 'a condition closes the space to strangers')
  await ada(`POST ${signedIn.at}/unpublish`)
  assert.match((await address())!, /\/gated\/$/, 'readers with the claim find it open')
})

test('a space that conditions hide from all readers has no address, and neither has its section', async () => {
  const { at } = await newSite({ title: 'Partly', spaces: [await newSpace('First')] })
  const { body: section } = await ada(`POST ${at}/sections`, {
    spaceId: await newSpace('Second'),
    title: 'API',
  })
  const { id } = section.siteSpaces[0]
  const addresses = async () => {
    const read = (await ada(`GET ${at}/sections`)).body.items.find(
      (one: { id: string }) => one.id === section.id,
    )
    const alone = (await ada(`GET ${at}/site-spaces?limit=100`)).body.items.find(
      (one: { id: string }) => one.id === id,
    )
    return [read, read.siteSpaces[0], alone].map(({ urls }) => urls.published)
  }
  const open = await addresses()
  assert.match(open[0], /\/partly\/api\/$/)
  assert.deepEqual(open, [open[0], open[0], open[0]])
  for (const [place, fields] of [
    [`site-spaces/${id}`, { condition: 'visitor.claims.staff == true' }],
    [`sections/${section.id}`, { condition: 'false' }],
  ] as const) {
    await ada(`PATCH ${at}/${place}`, fields)
    assert.deepEqual(await addresses(), [undefined, undefined, undefined], place)
    await ada(`PATCH ${at}/${place}`, { condition: null })
    assert.deepEqual(await addresses(), open, place)
  }
  await ada(`PATCH ${at}/site-spaces/${id}`, { condition: 'visitor.claims.staff == true' })
  await ada(`PATCH ${at}`, { adaptiveContent: { enabled: true } })
  assert.deepEqual(await addresses(), open, 'a reader with the claim finds it open')
})

test('a member sees of an open site what strangers see, and what they have a right to', async () => {
  const spaces = [await newSpace('For all'), await newSpace('For staff')]
  const { at } = await newSite({ title: 'Mixed', spaces })
  const member = await world.person('member', 'read')
  const denied = await ada(`POST /v1/spaces/${spaces[1]}/permissions`, { users: [member.id], role: null })
  assert.equal(denied.status, 204)
  const items = (await ada(`GET ${at}/site-spaces`)).body.items as { id: string; title: string }[]
  const staff = items.find(({ title }) => title === 'For staff')!
  const seen = async (person: Person) => {
    const { body } = await person(`GET ${at}/site-spaces`)
    const titles = (body.items as { title: string }[]).map(({ title }) => title)
    const structure = (await person(`GET ${at}/structure`)).text
    const published = (await person(`GET ${at}/published`)).text
    const listed = (await person(`GET ${org}/sites?space=${spaces[1]}`)).body.items.length as number
    const settings = await person(`GET ${at}/site-spaces/${staff.id}/customization`)
    const all = {
      count: (await person(`GET ${at}`)).body.siteSpaces === 2,
      structure: structure.includes('For staff'),
      published: published.includes('For staff'),
      listed: listed === 1,
      settings: settings.status === 200,
    }
    for (const [what, isSeen] of Object.entries(all)) assert.equal(isSeen, titles.length === 2, what)
    return titles
  }
  assert.deepEqual(await seen(member), ['For all', 'For staff'], 'as a stranger sees it')

  await ada(`PATCH ${at}/site-spaces/${staff.id}`, { condition: 'visitor.claims.staff == true' })
  assert.deepEqual(await seen(member), ['For all'])
  assert.deepEqual(await seen(ada), ['For all', 'For staff'])
  await ada(`PATCH ${at}/site-spaces/${staff.id}`, { condition: 'true' })
  assert.deepEqual(await seen(member), ['For all', 'For staff'])

  await ada(`PATCH ${at}/site-spaces/${staff.id}`, { condition: 'visitor.claims.staff == true' })
  await ada(`PATCH /v1/spaces/${spaces[1]}/permissions/users/${member.id}`, { role: 'read' })
  assert.deepEqual(await seen(member), ['For all', 'For staff'], 'by a right of their own')
})

test('a redirect to a page that the site hides from a caller is not there for them', async () => {
  const space = await newSpace('Pages')
  await ada(`PATCH /v1/spaces/${space}`, { editMode: 'live' })
  const insert = (title: string, more: object = {}) => ({
    operation: 'insert_page',
    title,
    document: { markdown: 'Text' },
    ...more,
  })
  const changes = [insert('Home'), insert('Hidden', { condition: 'visitor.claims.staff == true' })]
  const written = await ada(`POST /v1/spaces/${space}/content`, { changes })
  assert.equal(written.status, 200, written.text)
  const { at } = await newSite({ title: 'Pages', spaces: [space] })
  const [siteSpace] = (await ada(`GET ${at}/site-spaces`)).body.items
  const pages = (await ada(`GET /v1/spaces/${space}/content/pages`)).body.pages as { id: string }[]
  for (const [i, source] of ['/a', '/b'].entries()) {
    const destination = { kind: 'site-page', siteSpaceId: siteSpace.id, pageId: pages[i]!.id }
    assert.equal((await ada(`POST ${at}/redirects`, { source, destination })).status, 201)
  }
  const member = await world.person('limited', 'read')
  await ada(`POST /v1/spaces/${space}/permissions`, { users: [member.id], role: null })
  const follow = async (source: string, person: Person) =>
    (await person(`GET ${at}/redirect?source=${source}`)).status
  assert.deepEqual([await follow('/a', ada), await follow('/b', ada)], [200, 200])
  assert.deepEqual([await follow('/a', member), await follow('/b', member)], [200, 404])
})

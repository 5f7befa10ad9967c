import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const org = `/v1/orgs/${organizationId}`
const base = `${org}/favourites`
const reader = await world.person('reader', 'read')
const guest = await world.person('guest', null)
const stranger = await world.stranger('mallory')

const made = async (path: string, body: object) => (await ada(`POST ${path}`, body)).body.id as string
const idsOf = async (person: typeof ada) =>
  (await person(`GET ${base}`)).body.items.map(({ id }: { id: string }) => id)

const space = await made(`${org}/spaces`, { title: 'Guide', emoji: '26f5' })
const collection = await made(`${org}/collections`, { title: 'Product' })
const site = await made(`${org}/sites`, { title: 'Docs', spaces: [space] })

test('spaces, collections and sites become favourites, and only of the one who adds them', async () => {
  const added = await reader(`PUT ${base}/${space}`)
  assert.equal(added.status, 200)
  assert.deepEqual(added.body, {
    object: 'favourite',
    id: space,
    kind: 'space',
    title: 'Guide',
    emoji: '26f5',
    createdAt: added.body.createdAt,
    urls: { location: `${world.url}/v1/spaces/${space}` },
  })
  const others = [await reader(`PUT ${base}/${collection}`), await reader(`PUT ${base}/${site}`)]
  assert.deepEqual(
    others.map(({ body }) => [body.kind, body.title, body.urls.location]),
    [
      ['collection', 'Product', `${world.url}/v1/collections/${collection}`],
      ['site', 'Docs', `${world.url}${org}/sites/${site}`],
    ],
  )
  const list = (await reader(`GET ${base}`)).body
  assert.deepEqual(
    list.items.toSorted((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)),
    [added, ...others].map(({ body }) => body).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
  assert.deepEqual(await idsOf(ada), [])

  const again = await reader(`PUT ${base}/${space}`)
  assert.deepEqual([again.status, again.body], [200, added.body])
  assert.equal((await reader(`DELETE ${base}/${space}`)).status, 204)
  assert.equal((await reader(`DELETE ${base}/${space}`)).status, 204)
  assert.equal((await idsOf(reader)).includes(space), false)
})

test('what the caller cannot see is no favourite, neither new nor any more', async () => {
  const hidden = await made(`${org}/spaces`, { title: 'Hidden' })
  await reader(`PUT ${base}/${hidden}`)
  assert.ok((await idsOf(reader)).includes(hidden))
  await ada(`PATCH /v1/spaces/${hidden}`, { defaultLevel: null })
  assert.equal((await idsOf(reader)).includes(hidden), false)
  assert.equal((await reader(`PUT ${base}/${hidden}`)).status, 404)
  assert.equal((await guest(`PUT ${base}/${space}`)).status, 404)
  assert.equal((await stranger(`GET ${base}`)).status, 404)
  assert.equal((await ada(`PUT ${base}/${reader.id}`)).status, 404)

  const other = await ada('POST /v1/orgs', { title: 'Other' })
  const theirs = await made(`/v1/orgs/${other.body.id}/spaces`, { title: 'Theirs' })
  assert.equal((await ada(`PUT ${base}/${theirs}`)).status, 404)
  assert.equal((await ada(`PUT /v1/orgs/${other.body.id}/favourites/${theirs}`)).status, 200)
  assert.equal((await idsOf(ada)).includes(theirs), false)
})

test('a user has at most 200 favourites, without those that were deleted', async () => {
  const writer = await world.person('writer', 'read')
  const collections: string[] = []
  for (let i = 0; i < 201; i++) collections.push(await made(`${org}/collections`, { title: `${i}` }))
  for (const id of collections.slice(0, 200)) assert.equal((await writer(`PUT ${base}/${id}`)).status, 200)
  const [first = '', last = ''] = [collections[0], collections.at(-1)]
  const refused = await writer(`PUT ${base}/${last}`)
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /200 favourites; at most 200/)
  assert.equal((await writer(`PUT ${base}/${first}`)).status, 200)
  await ada(`DELETE /v1/collections/${first}`)
  assert.equal((await writer(`PUT ${base}/${last}`)).status, 200)

  const walked: string[] = []
  for (let page = ''; ;) {
    const { items, next } = (await writer(`GET ${base}?limit=70${page}`)).body
    walked.push(...items.map(({ id }: { id: string }) => id))
    if (!next) break
    page = `&page=${next.page}`
  }
  assert.deepEqual(
    walked,
    (await writer(`GET ${base}?limit=1000`)).body.items.map(({ id }: { id: string }) => id),
  )
  assert.equal(walked.length, 200)
})

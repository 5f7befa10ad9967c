import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const reader = await world.person('reader', 'read')
const guest = await world.person('guest', null)
const stranger = await world.stranger('mallory')
const base = `/v1/orgs/${organizationId}/translations`

test('settings can be created, read, changed and deleted', async () => {
  const made = await ada(`POST ${base}`, { title: 'Docs', languages: ['de', 'pt-br'] })
  assert.equal(made.status, 201)
  const { id, createdAt } = made.body
  assert.deepEqual(made.body, {
    object: 'translation-settings',
    id,
    title: 'Docs',
    languages: ['de', 'pt-br'],
    createdAt,
    updatedAt: createdAt,
    permissions: { view: true, edit: true },
    urls: { location: `${world.url}${base}/${id}` },
  })
  assert.equal(made.headers.get('location'), `${world.url}${base}/${id}`)
  assert.deepEqual((await ada(`GET ${base}/${id}`)).body, made.body)

  const put = await ada(`PUT ${base}/${id}`, { title: 'Manual', languages: [] })
  assert.deepEqual([put.status, put.body.title, put.body.languages], [200, 'Manual', []])

  assert.equal((await ada(`DELETE ${base}/${id}`)).status, 205)
  assert.equal((await ada(`DELETE ${base}/${id}`)).status, 204)
  assert.equal((await ada(`GET ${base}/${id}`)).status, 404)
  assert.equal((await ada(`PUT ${base}/${id}`, { title: 'Gone' })).status, 404)
})

test('languages are optional: the default is none, and an update keeps them', async () => {
  const made = await ada(`POST ${base}`, { title: 'Docs' })
  assert.deepEqual(made.body.languages, [])
  await ada(`PUT ${base}/${made.body.id}`, { title: 'Docs', languages: ['ja'] })
  const put = await ada(`PUT ${base}/${made.body.id}`, { title: 'Renamed' })
  assert.deepEqual(put.body.languages, ['ja'])
})

test('accepts only known languages, each once, and a title of 1 to 100 characters', async () => {
  for (const body of [
    {},
    { title: '' },
    { title: 'x'.repeat(101) },
    { title: 'x', languages: ['xx'] },
    { title: 'x', languages: ['de', 'de'] },
    { title: 'x', languages: null },
  ]) {
    assert.equal((await ada(`POST ${base}`, body)).status, 400, JSON.stringify(body))
  }
})

test('members can read the settings, administrators can change them, and guests can do neither', async () => {
  const { body } = await ada(`POST ${base}`, { title: 'Seen' })
  const seen = await reader(`GET ${base}/${body.id}`)
  assert.deepEqual(seen.body.permissions, { view: true, edit: false })
  assert.equal((await reader(`PUT ${base}/${body.id}`, { title: 'x' })).status, 403)
  assert.equal((await guest(`GET ${base}/${body.id}`)).status, 403)

  const theirs = `/v1/orgs/${stranger.organizationId}/translations/${body.id}`
  assert.equal((await stranger(`GET ${theirs}`)).status, 404)
  assert.equal((await stranger(`PUT ${theirs}`, { title: 'Taken' })).status, 404)
  assert.equal((await stranger(`DELETE ${theirs}`)).status, 204)
  assert.equal((await ada(`GET ${base}/${body.id}`)).body.title, 'Seen')
})

test('lists return pages of results', async () => {
  const one = await world.stranger('lister')
  const list = `/v1/orgs/${one.organizationId}/translations`
  const made: string[] = []
  for (const title of ['a', 'b', 'c']) made.push((await one(`POST ${list}`, { title })).body.id)
  const first = (await one(`GET ${list}?limit=2`)).body
  const second = (await one(`GET ${list}?limit=2&page=${first.next.page}`)).body
  assert.deepEqual(
    [...first.items, ...second.items].map(({ id }: { id: string }) => id),
    made,
  )
  assert.deepEqual([first.count, second.count, second.next], [3, 3, undefined])
})

test('the audit log records changed settings', async () => {
  const { body } = await ada(`POST ${base}`, { title: 'Before', languages: ['de'] })
  await ada(`PUT ${base}/${body.id}`, { title: 'After' })
  await ada(`DELETE ${base}/${body.id}`)
  await ada(`DELETE ${base}/${body.id}`)
  const events = (await ada(`GET /v1/orgs/${organizationId}/audit-events?target=${body.id}`)).body.items
  const actions = events.map(({ action }: { action: string }) => action)
  assert.deepEqual(actions, ['translation.delete', 'translation.update', 'translation.create'])
  const changed = await ada(`GET /v1/orgs/${organizationId}/audit-events/${events[1].id}`)
  assert.deepEqual(changed.body.payload, {
    before: { title: 'Before' },
    after: { title: 'After' },
    fields: ['title'],
  })
  const deleted = await ada(`GET /v1/orgs/${organizationId}/audit-events/${events[0].id}`)
  assert.equal(deleted.body.payload.before.title, 'After')
  assert.equal(deleted.body.target.label, 'After')
})

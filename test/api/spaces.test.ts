import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Space } from '../../src/model/places/space.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const spaces = `/v1/orgs/${organizationId}/spaces`

test('a new space is locked, private, empty, and inherits its access', async () => {
  const { status, body, headers } = await ada(`POST ${spaces}`, {
    title: 'Handbook',
    emoji: '1f3e0',
    language: 'en',
  })
  assert.equal(status, 201)
  assert.equal(headers.get('location'), body.urls.location)
  assert.equal(body.editMode, 'locked')
  assert.equal(body.visibility, 'private')
  assert.equal(body.defaultLevel, 'inherit')
  assert.equal(body.emoji, '1f3e0')
  assert.deepEqual(body.mergeRules, { type: 'inherit' })
  assert.equal(Object.keys(body.permissions).length, 10)

  const content = await ada(`GET /v1/spaces/${body.id}/content`)
  assert.equal(content.body.id, body.revision)
  assert.deepEqual([content.body.pages, content.body.files, content.body.parents], [[], [], []])
})

test('the body is optional', async () => {
  const { status, body } = await ada(`POST ${spaces}`)
  assert.equal(status, 201)
  assert.equal(body.title, 'Untitled')
  assert.equal(body.emoji, '')
})

test('changes a space; null clears a field, and an icon replaces the emoji', async () => {
  const { body } = await ada(`POST ${spaces}`, { title: 'Guide', emoji: '1f4d8' })
  const path = `/v1/spaces/${body.id}`
  const live = (await ada(`PATCH ${path}`, { editMode: 'live', title: 'Manual' })).body
  assert.deepEqual([live.editMode, live.title, live.permissions.edit], ['live', 'Manual', true])

  const icon = (await ada(`PATCH ${path}`, { icon: 'https://example.com/i.png' })).body
  assert.deepEqual([icon.emoji, icon.urls.icon], ['', 'https://example.com/i.png'])
  const cleared = (await ada(`PATCH ${path}`, { emoji: null, icon: null, language: null })).body
  assert.deepEqual([cleared.emoji, cleared.urls.icon, cleared.language], ['', undefined, undefined])
  assert.equal(
    (await ada(`PATCH ${path}`, { emoji: '1f4d8', icon: 'https://example.com/i.png' })).status,
    400,
  )
})

test('`permissions.edit` is true for users who may open a change request, also in a locked space', async () => {
  const { body } = await ada(`POST ${spaces}`, { title: 'Locked' })
  for (const [role, status] of [
    ['comment', 403],
    ['edit', 201],
  ] as const) {
    const person = await world.person(`may-${role}`, role)
    const { editMode, permissions } = (await person(`GET /v1/spaces/${body.id}`)).body
    assert.deepEqual([editMode, permissions.edit], ['locked', status === 201])
    assert.equal((await person(`POST /v1/spaces/${body.id}/change-requests`, {})).status, status)
  }
})

test('a level of null hides a space from all members except administrators', async () => {
  const reader = await world.person('reader', 'read')
  const { body } = await ada(`POST ${spaces}`, { title: 'Secret' })
  assert.equal((await reader(`GET /v1/spaces/${body.id}`)).body.permissions.view, true)

  await ada(`PATCH /v1/spaces/${body.id}`, { defaultLevel: null })
  assert.equal((await reader(`GET /v1/spaces/${body.id}`)).status, 404)
  const listed = (await reader(`GET ${spaces}?limit=1000`)).body
  assert(!listed.items.some(({ id }: { id: string }) => id === body.id))
  assert.equal(listed.count, listed.items.length)
  assert.equal((await ada(`GET /v1/spaces/${body.id}`)).status, 200)
})

test('a level below one’s own removes permissions: the nearest level applies', async () => {
  const creator = await world.person('creator', 'create')
  const { body } = await ada(`POST ${spaces}`, { title: 'Read only' })
  await ada(`PATCH /v1/spaces/${body.id}`, { defaultLevel: 'read' })
  const { permissions } = (await creator(`GET /v1/spaces/${body.id}`)).body
  assert.deepEqual([permissions.view, permissions.comment, permissions.edit], [true, false, false])
  const answer = await creator(`PATCH /v1/spaces/${body.id}`, { title: 'Mine' })
  assert.equal(answer.status, 403)
  assert.match(answer.body.error.message, /"create"/)
})

test('a guest sees no space and no site', async () => {
  const guest = await world.person('guest', null)
  const { body } = await ada(`POST ${spaces}`, { title: 'Members' })
  assert.equal((await guest(`GET /v1/spaces/${body.id}`)).status, 404)
  assert.deepEqual((await guest(`GET ${spaces}`)).body, { count: 0, items: [] })
  assert.deepEqual((await guest(`GET /v1/orgs/${organizationId}/sites`)).body, { count: 0, items: [] })
})

test('a response has an ETag, and a request with it returns 304 until the space changes', async () => {
  const { body } = await ada(`POST ${spaces}`, { title: 'Tagged' })
  const path = `/v1/spaces/${body.id}`
  const etag = (await ada(`GET ${path}`)).headers.get('etag') ?? ''
  assert.match(etag, /^"[\w-]{27}"$/)
  const same = await ada(`GET ${path}`, undefined, { 'if-none-match': etag })
  assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', etag])

  await ada(`PATCH ${path}`, { title: 'Other' })
  assert.equal((await ada(`GET ${path}`, undefined, { 'if-none-match': etag })).status, 200)
})

test('the next response has a change in another table: a change request, a comment, a site, a role', async () => {
  const { id } = (await ada(`POST ${spaces}`, { title: 'Fresh' })).body
  const path = `/v1/spaces/${id}`
  const reader = await world.person('reads-a-fresh-space', 'read')
  const said = { body: { markdown: 'Hello' } }
  const site = (await ada(`POST /v1/orgs/${organizationId}/sites`, { title: 'Fresh', spaces: [id] })).body
  const grant = { users: [reader.id], role: 'edit' }
  const changes: [request: string, body: unknown, what: (space: Space) => unknown, before: unknown][] = [
    [`POST ${path}/change-requests`, {}, (space) => space.changeRequestsDraft, 0],
    [`POST ${path}/comments`, said, (space) => space.comments, 0],
    [
      `POST /v1/orgs/${organizationId}/sites/${site.id}/publish`,
      {},
      (space) => space.urls.published,
      undefined,
    ],
    [`POST ${path}/permissions`, grant, (space) => space.permissions.edit, false],
  ]
  for (const [request, body, what, before] of changes) {
    const first = await reader(`GET ${path}`)
    assert.equal(what(first.body), before, request)
    assert.ok((await ada(request, body)).status < 300, request)
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    const second = await reader(`GET ${path}`, undefined, headers)
    assert.equal(second.status, 200, request)
    assert.notEqual(what(second.body), before, request)
  }
})

test('two concurrent changes are both applied', async () => {
  const { body } = await ada(`POST ${spaces}`, { title: 'Busy' })
  const path = `/v1/spaces/${body.id}`
  const answers = await Promise.all([
    ada(`PATCH ${path}`, { title: 'Renamed' }),
    ada(`PATCH ${path}`, { editMode: 'live' }),
    ada(`PATCH ${path}`, { language: 'fr' }),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  const { title, editMode, language } = (await ada(`GET ${path}`)).body
  assert.deepEqual([title, editMode, language], ['Renamed', 'live', 'fr'])
})

test('an invalid title or an unknown parent creates nothing', async () => {
  const before = (await ada(`GET ${spaces}`)).body.count
  assert.equal((await ada(`POST ${spaces}`, { title: 'x'.repeat(51) })).status, 400)
  assert.equal((await ada(`POST ${spaces}`, { parent: 'nowhere' })).status, 400)
  assert.equal((await ada(`GET ${spaces}`)).body.count, before)
})

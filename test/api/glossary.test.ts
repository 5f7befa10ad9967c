import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const creator = await world.person('creator', 'create')
const reader = await world.person('reader', 'read')
const guest = await world.person('guest', null)
const stranger = await world.stranger('mallory')
const base = `/v1/orgs/${organizationId}/translations-glossary`

const insert = (translations: unknown) => ({ type: 'insert', translations })
const change = (...operations: unknown[]) => creator(`PUT ${base}`, { operations })
const entries = async () => (await reader(`GET ${base}?limit=1000`)).body.items
const errors = async (...operations: unknown[]) => {
  const answer = await change(...operations)
  assert.equal(answer.status, 400, answer.text)
  return answer.body.error.message as string
}

test('entries are added, changed and deleted, in the order of the operations', async () => {
  assert.equal((await change(insert({ en: 'space', de: 'Bereich' }), insert({ en: 'page' }))).status, 204)
  const [space, page] = await entries()
  assert.deepEqual(space, {
    object: 'glossary-entry',
    id: space.id,
    translations: { en: 'space', de: 'Bereich' },
    createdAt: space.createdAt,
    updatedAt: space.createdAt,
    urls: { location: `${world.url}${base}/${space.id}` },
  })
  assert.deepEqual((await reader(`GET ${base}/${space.id}`)).body, space)

  const operations = [
    { type: 'update', id: space.id, translations: { ja: 'スペース' } },
    { type: 'delete', id: page.id },
    insert({ fr: 'révision' }),
  ]
  assert.equal((await change(...operations)).status, 204)
  const left = await entries()
  assert.deepEqual(
    left.map(({ translations }: { translations: object }) => translations),
    [{ ja: 'スペース' }, { fr: 'révision' }],
  )
  assert.equal(left[0].id, space.id)
  assert.equal(left[0].createdAt, space.createdAt)
  assert.equal((await reader(`GET ${base}/${page.id}`)).status, 404)
})

test('tags of languages get their usual spelling, and each language has one term', async () => {
  await change(insert({ 'PT-BR': 'espaço', zh_tw: '空間', fa: 'فضا' }))
  const entry = (await entries()).at(-1)
  assert.deepEqual(entry.translations, { 'pt-br': 'espaço', 'zh-TW': '空間', fa: 'فضا' })
  assert.match(await errors(insert({ 'no language': 'x' })), /operations\.0\.translations.*not no language/)
  assert.match(await errors(insert({ de: 'x', DE: 'y' })), /DE and de are the same language/)
})

test('a fault in one operation refuses all, and names the operation', async () => {
  const before = await entries()
  const { id } = before[0]
  const other = await ada('POST /v1/orgs', { title: 'Other' })
  const elsewhere = `/v1/orgs/${other.body.id}/translations-glossary`
  await ada(`PUT ${elsewhere}`, { operations: [insert({ en: 'theirs' })] })
  const theirs = (await ada(`GET ${elsewhere}`)).body.items[0].id
  const removal = { type: 'delete', id }
  for (const [operation, message] of [
    [{ type: 'delete', id: theirs }, /operations\.1\.id.*must be the id of an entry of this glossary/],
    [{ ...removal, id: 'unknown' }, /operations\.1\.id/],
    [removal, /operations\.1\.id.*earlier one/],
    [insert({}), /operations\.1\.translations/],
    [insert({ en: '' }), /operations\.1\.translations/],
    [insert({ en: '  ' }), /operations\.1\.translations/],
    [insert({ en: 'two\nlines' }), /operations\.1\.translations.*one line/],
    [insert({ en: 'x'.repeat(256) }), /operations\.1\.translations/],
    [insert({ en: null }), /operations\.1\.translations/],
    [{ type: 'rename', id }, /operations\.1/],
    [{ type: 'update', id }, /operations\.1/],
  ] as const)
    assert.match(await errors(removal, operation), message)
  assert.match(await errors(), /operations/)
  assert.deepEqual(await entries(), before)
  assert.equal((await ada(`GET ${elsewhere}/${id}`)).status, 404)
})

test('a glossary has at most 10,000 entries', async () => {
  const { body } = await ada('POST /v1/orgs', { title: 'Wordy' })
  const path = `/v1/orgs/${body.id}/translations-glossary`
  const operations = Array.from({ length: 1000 }, (_, i) => insert({ en: `term ${i}` }))
  for (let i = 0; i < 10; i++) assert.equal((await ada(`PUT ${path}`, { operations })).status, 204)
  const refused = await ada(`PUT ${path}`, { operations: operations.slice(0, 1) })
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /10001 entries; at most 10000/)
  assert.equal((await ada(`GET ${path}?limit=1`)).body.count, 10_000)
})

test('members read the glossary, those with the role create change it, and others do neither', async () => {
  const operations = [insert({ en: 'role' })]
  assert.equal((await reader(`PUT ${base}`, { operations })).status, 403)
  assert.equal((await guest(`GET ${base}`)).status, 403)
  for (const request of [`GET ${base}`, `PUT ${base}`] as const)
    assert.equal(
      (await stranger(request, request.startsWith('PUT') ? { operations } : undefined)).status,
      404,
    )
})

test('the audit log has the terms before and after a change', async () => {
  await change(insert({ en: 'draft' }))
  const { id } = (await entries()).at(-1)
  await change({ type: 'update', id, translations: { en: 'proposal' } })
  const events = `/v1/orgs/${organizationId}/audit-events`
  const [newest] = (await ada(`GET ${events}?limit=1`)).body.items
  const event = (await ada(`GET ${events}/${newest.id}`)).body
  assert.equal(event.action, 'glossary.update')
  assert.deepEqual(
    [event.payload.before, event.payload.after],
    [{ terms: { [id]: { en: 'draft' } } }, { terms: { [id]: { en: 'proposal' } } }],
  )
})

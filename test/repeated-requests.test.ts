/**
 * Tests the two headers with which a change is safe to send: `If-Match` on every operation that changes or deletes what an
 * address names, and `Idempotency-Key` on every `POST`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sealedBy } from '../src/access/credentials/sealing.ts'
import { loadRoutes, type NamedRoute } from '../src/server/routes.ts'
import {
  beginAnswering,
  deleteOldAnswers,
  earlierAnswer,
  keepAnswer,
  repeatableRequest,
} from '../src/model/people/answered-requests.ts'
import { mailbox } from './mailbox.ts'
import { CALLS } from './matrix/calls.ts'
import { changes, rowsOf } from './matrix/database.ts'
import type { Call, Make } from './matrix/makers.ts'
import { requestOf } from './matrix/swap.ts'
import { thingsIn } from './matrix/things.ts'
import { createWorld } from './world.ts'

const routes = await loadRoutes()
const world = await createWorld({ LECTERN_ADMIN_EMAIL: 'ada@example.com' }, { mail: mailbox() })
const { ada, db, organizationId } = world
const things = thingsIn(world, { admin: ada, organizationId, domain: 'example.com' })
let counter = 0
const caller = {
  person: ada,
  writes: true,
  another: () => world.person(`another-${(counter += 1)}`, 'admin'),
}
const bodyOf = ({ body }: Call): unknown => (typeof body === 'function' ? body() : body)
const callsOf = async (name: string): Promise<Call[]> =>
  Promise.all([CALLS[name] ?? []].flat().map(async (make: Make) => make(things, caller)))
/** The routes that read what others with the same path change. A download is not what a request changes. */
const reading = new Map(
  routes
    .filter(({ route }) => route.method === 'GET' && typeof route.returns === 'object')
    .map((one) => [one.route.path, one]),
)
let sent = 0
/** Each request comes from another network, because attempts to sign in are limited by network. */
const send = (one: NamedRoute, call: Call, headers: Record<string, string>, body = bodyOf(call)) => {
  const address = `10.${(sent += 1) >> 8}.${sent & 255}.1`
  return (call.as ?? ada)(requestOf(one, call), body, { 'x-forwarded-for': address, ...headers })
}

for (const one of routes) {
  const { route, name } = one
  if (!['PUT', 'PATCH', 'DELETE'].includes(route.method) || route.takes) continue

  test(`${name} honours If-Match`, async () => {
    const calls = await callsOf(name)
    const call = calls.find(({ self }) => self) ?? calls[0]
    assert(call)
    const before = await rowsOf(db)
    const refused = await send(one, call, { 'if-match': '"another", W/"version"' })
    assert.equal(refused.status, 412, refused.text)
    const changed = changes(before, await rowsOf(db)).filter((row) => !row.startsWith('+ sharedCount'))
    assert.deepEqual(changed, [])
    const get = reading.get(route.path)
    if (!get) return assert.equal(refused.body.error.reason, 'without-etag')

    const { body: _, query: _query, ...named } = call
    const read = await send(get, named, {})
    // A PUT may make what is not there yet.
    if (read.status === 404) return assert.equal(refused.body.error.reason, 'changed-since-read')
    const etag = read.headers.get('etag')
    assert(etag, read.text)
    const done = await send(one, call, { 'if-match': `"another", ${etag}` })
    assert(done.status < 300, `${done.status} ${done.text}`)
  })
}

for (const one of routes) {
  const { route, name } = one
  if (route.method !== 'POST' || route.reads || route.access.open) continue

  test(`${name} makes one change for one Idempotency-Key`, async () => {
    for (const call of await callsOf(name)) {
      const key = { 'idempotency-key': `key-${(counter += 1)}` }
      const body = bodyOf(call)
      const first = await send(one, call, key, body)
      assert(first.status < 300, first.text)
      assert.equal(first.headers.get('idempotent-replayed'), null)
      const before = await rowsOf(db)
      const again = await send(one, call, key, body)
      assert.deepEqual(changes(before, await rowsOf(db)), [])
      // A change that takes the caller's access away is not shown to them again.
      if ([403, 404].includes(again.status)) continue
      assert.deepEqual([again.status, again.text], [first.status, first.text])
      assert.equal(again.headers.get('location'), first.headers.get('location'))
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
    }
  })
}

const space = (title: string, key: string, person = ada) =>
  person(`POST /v1/orgs/${organizationId}/spaces`, { title }, { 'idempotency-key': key })
const spacesCalled = async (title: string) => {
  const { body } = await ada(`GET /v1/orgs/${organizationId}/spaces?limit=1000`)
  return (body.items as { title: string }[]).filter((one) => one.title === title).length
}

test('two equal requests at once make one change', async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => space('At once', 'at-once')))
  for (const { status } of answers) assert.equal(status, 201)
  assert.equal(new Set(answers.map(({ body }) => body.id as string)).size, 1)
  assert.equal(await spacesCalled('At once'), 1)
})

test('a key belongs to one request of one user, for a day, and is forgotten with a request that fails', async () => {
  const first = await space('Kept', 'kept')
  const other = await space('Other', 'kept')
  assert.deepEqual([other.status, other.body.error.reason], [422, 'idempotency-key-used'])
  const move = await ada(`POST /v1/spaces/${first.body.id}/duplicate`, {}, { 'idempotency-key': 'kept' })
  assert.equal(move.status, 422)

  const bob = await world.person('bob-of-keys', 'admin')
  const his = await space('Kept', 'kept', bob)
  assert.notEqual(his.body.id, first.body.id)

  const path = `POST /v1/orgs/${organizationId}/spaces`
  assert.equal((await ada(path, { title: 7 }, { 'idempotency-key': 'mended' })).status, 400)
  assert.equal((await space('Mended', 'mended')).status, 201)

  for (const key of ['', 'x'.repeat(256), 'naïve'])
    assert.equal((await space('Never', key)).body.error?.reason, 'idempotency-key-invalid', key)

  world.clock.now = new Date(Date.now() + 24 * 3_600_000)
  const later = await space('Other', 'kept')
  assert.equal(later.status, 201)
  assert.equal(later.headers.get('idempotent-replayed'), null)
  while (await db.write((tx) => deleteOldAnswers(tx, new Date(Date.now() + 24 * 3_600_000))));
  const left = await db.read.selectFrom('answeredRequest').select('userId').execute()
  assert.equal(left.length, 1)
  world.clock.now = undefined
})

test('an answer is stored sealed', async () => {
  const created = await ada('POST /v1/user/tokens', { label: 'Robot' }, { 'idempotency-key': 'token' })
  assert.equal(created.status, 201, created.text)
  const rows = await db.read.selectFrom('answeredRequest').selectAll().execute()
  assert(!JSON.stringify(rows).includes(created.body.token as string))
  const again = await ada('POST /v1/user/tokens', { label: 'Robot' }, { 'idempotency-key': 'token' })
  assert.equal(again.body.token, created.body.token)
})

test('of two changes with the same ETag, the second is refused', async () => {
  const { body } = await space('Raced', 'raced')
  const path = `/v1/spaces/${body.id}`
  const etag = (await ada(`GET ${path}`)).headers.get('etag')!
  const answers = await Promise.all(
    ['One', 'Two', 'Three'].map((title) => ada(`PATCH ${path}`, { title }, { 'if-match': etag })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412])
  const newer = (await ada(`GET ${path}`)).headers.get('etag')!
  assert.equal((await ada(`DELETE ${path}`, undefined, { 'if-match': etag })).status, 412)
  assert.equal((await ada(`PATCH ${path}`, { title: 'Any' }, { 'if-match': '*' })).status, 200)
  assert.equal((await ada(`DELETE ${path}`, undefined, { 'if-match': newer })).status, 412)
})

test('an answer that is too long to keep is not made again either', async () => {
  const sealing = sealedBy({ secrets: () => ['a secret'], secretsIn: async () => ['a secret'] })
  const request = repeatableRequest(ada.id, 'long', ['operation'])
  const now = new Date()
  await db.write(async (tx) => {
    await beginAnswering(tx, request, now)
    await keepAnswer(tx, sealing, request, JSON.stringify('x'.repeat(300_000)))
  })
  await assert.rejects(earlierAnswer(db.read, sealing, request, now), {
    status: 409,
    reason: 'answer-not-kept',
  })
})

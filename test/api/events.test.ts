/** Clients that listen to a space: over real connections, with the changes that the API makes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { expireEvents } from '../../src/jobs/expire-events.ts'
import { appendSpaceEvents } from '../../src/model/events/event.ts'
import { isLongRun } from '../effort.ts'
import { type Hearing, listen, listeningIn } from '../listening.ts'
import { until } from '../waiting.ts'
import { proposalsIn } from '../proposing.ts'
import { createWorld, type Person } from '../world.ts'

const CHECK_MS = 200
const limits = { perUser: 50, total: 1_100, unsentBytes: 32 * 1024, pollMs: 100, checkMs: CHECK_MS }
const world = await createWorld({}, { listening: limits })
const { ada, app, db, organizationId, url } = world
const { liveSpace, write } = proposalsIn(world)
const reviewer = await world.person('reviewer', 'review')

/** A new live space with a page. @returns its URL path */
const newSpace = () => liveSpace({ 'README.md': '# Home\n' })
/** A new change request. @returns its URL path */
const proposed = async (space: string) =>
  `${space}/change-requests/${(await ada(`POST ${space}/change-requests`, {})).body.id}`
const { another, hearAt, leaveAll } = listeningIn(world, limits)

const idOf = (space: string) => space.split('/')[3]!
/** The names of the events, with those of their changes. */
const eventNames = ({ events }: Hearing) =>
  events.map(({ name, data }) => [name, data.change].filter(Boolean).join())

test('listeners of the space and of the change request get each kind of change, with ids and states', async () => {
  const space = await newSpace()
  const [all, other] = await Promise.all([hearAt(`${space}/events`), hearAt(`${await newSpace()}/events`)])
  assert.equal(all.headers['content-type'], 'text/event-stream; charset=utf-8')

  const made = (await ada(`POST ${space}/change-requests`, { subject: 'Secret subject' })).body
  const base = `${space}/change-requests/${made.id}`
  const one = await hearAt(`${space}/change-requests/${made.number}/events`)
  const revision = await write(base, { 'new.md': '# Secret text\n' })
  await ada(`POST ${base}/requested-reviewers`, { users: [reviewer.id] })
  const said = { body: { markdown: 'Secret remark' } }
  const comment = (await reviewer(`POST ${base}/comments`, said)).body.id as string
  const reply = (await ada(`POST ${base}/comments/${comment}/replies`, said)).body.id as string
  await ada(`PUT ${base}/comments/${comment}`, { resolved: true })
  await ada(`DELETE ${base}/comments/${comment}/replies/${reply}`)
  await ada(`DELETE ${base}/comments/${comment}`)
  const review = (await reviewer(`POST ${base}/reviews`, { status: 'approved' })).body.id as string
  const merged = (await ada(`POST ${base}/merge`)).body.revision as string
  await ada(`POST ${space}/comments`, said)

  await all.hear(({ name, data }) => name === 'comment' && data.changeRequest === undefined)
  const of = { space: idOf(space), changeRequest: made.id }
  const expected = [
    ['change-request', { ...of, change: 'created', status: 'draft', by: ada.id }],
    ['content', { ...of, revision, by: ada.id }],
    ['change-request', { ...of, change: 'updated', status: 'open', by: ada.id }],
    ['review-request', { ...of, change: 'created', by: ada.id }],
    ['comment', { ...of, change: 'created', comment, status: 'open', by: reviewer.id }],
    ['reply', { ...of, change: 'created', comment, reply, by: ada.id }],
    ['comment', { ...of, change: 'updated', comment, status: 'resolved', by: ada.id }],
    ['reply', { ...of, change: 'deleted', comment, reply, by: ada.id }],
    ['comment', { ...of, change: 'deleted', comment, by: ada.id }],
    ['review', { ...of, change: 'created', review, by: reviewer.id }],
    ['content', { space: idOf(space), revision: merged, by: ada.id }],
    ['change-request', { ...of, change: 'updated', status: 'merged', by: ada.id }],
    ['merge', { ...of, revision: merged, by: ada.id }],
  ]
  const [first, ...heard] = all.events.map(({ name, data }) => [name, data])
  assert.equal(first?.[0], 'ready')
  assert.deepEqual(heard.slice(0, -1), expected)
  await one.hear('merge')
  assert.deepEqual(
    one.events.slice(1).map(({ name, data }) => [name, data]),
    expected.slice(1),
  )
  const ids = all.events.map(({ id }) => Number(id))
  assert.deepEqual(
    ids,
    ids.map((_, i) => ids[0]! + i),
    'the numbers have no gaps',
  )
  assert.doesNotMatch(JSON.stringify(all.events), /Secret/)
  assert.deepEqual(eventNames(other), ['ready'])
})

test('a request that changes nothing, or fails, tells nothing', async () => {
  const space = await newSpace()
  const { body } = await ada(`POST ${space}/change-requests`, {})
  const base = `${space}/change-requests/${body.id}`
  const hearing = await hearAt(`${space}/events`)
  assert.equal((await ada(`PATCH ${base}`, {})).status, 200)
  assert.equal((await ada(`POST ${base}/merge`)).status, 409)
  assert.equal((await ada(`DELETE ${base}/comments/nothing`)).status, 204)
  assert.equal((await ada(`PATCH ${base}`, { subject: 'Last' })).status, 200)
  await hearing.hear('change-request')
  assert.deepEqual(eventNames(hearing), ['ready', 'change-request,updated'])
})

test('a client that was away gets what it has missed, once and in order', async () => {
  const space = await newSpace()
  const base = await proposed(space)
  const before = await hearAt(`${base}/events`)
  const change = async (subject: string) =>
    assert.equal((await ada(`PATCH ${base}`, { subject })).status, 200, subject)
  await change('Heard')
  const { id = '' } = await before.hear('change-request')
  before.leave()
  for (const subject of ['One', 'Two', 'Three']) await change(subject)
  const again = await hearAt(`${base}/events`, ada, { 'last-event-id': id })
  await change('Four')
  await again.hear((event) => event.id === String(Number(id) + 4))
  await wait(3 * limits.pollMs)
  assert.deepEqual(
    again.events.map((event) => event.id),
    [undefined, ...[1, 2, 3, 4].map((n) => String(Number(id) + n))],
  )
})

test('two changes within a millisecond are two events', async () => {
  const space = await newSpace()
  const base = await proposed(space)
  const hearing = await hearAt(`${base}/events`)
  world.clock.now = new Date()
  for (const subject of ['One', 'Two']) await ada(`PATCH ${base}`, { subject })
  await ada(`PATCH ${base}`, { subject: 'Two' })
  world.clock.now = undefined
  await ada(`PATCH ${base}`, { status: 'open' })
  await hearing.hear(({ data }) => data.status === 'open')
  assert.equal(eventNames(hearing).filter((one) => one === 'change-request,updated').length, 3)
})

test('a client with an id that is too old, too new or no id at all gets an event that makes it load everything again', async () => {
  const space = await newSpace()
  const base = await proposed(space)
  const hearing = await hearAt(`${space}/events`)
  await ada(`PATCH ${base}`, { subject: 'Old' })
  const { id = '' } = await hearing.hear('change-request')
  const now = world.clock.now
  world.clock.now = new Date(Date.now() + 25 * 3_600_000)
  await expireEvents(app.services)({} as never, {} as never)
  world.clock.now = now
  for (const wrong of [String(Number(id) - 1), '0', String(Number(id) + 1), 'nonsense', '-1', '1e3']) {
    const { id: current } = await (
      await hearAt(`${space}/events`, ada, { 'last-event-id': wrong })
    ).hear('reset')
    assert.equal(current, id)
  }
  const known = await hearAt(`${space}/events`, ada, { 'last-event-id': id })
  await ada(`PATCH ${base}`, { subject: 'New' })
  await known.hear('change-request')
  assert.deepEqual(eventNames(known), ['ready', 'change-request,updated'])
})

test('a space keeps a bounded number of events', async () => {
  const spaceId = idOf(await newSpace())
  const data = { kind: 'content' as const, data: {} }
  for (let i = 0; i < 25; i++)
    await db.write((tx) =>
      appendSpaceEvents(
        tx,
        spaceId,
        Array.from({ length: 450 }, () => data),
        new Date(),
      ),
    )
  const { count } = await db.read
    .selectFrom('spaceEvent')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('spaceId', '=', spaceId)
    .executeTakeFirstOrThrow()
  assert(Number(count) <= 10_500 && Number(count) >= 10_000, String(count))
  const behind = await hearAt(`/v1/spaces/${spaceId}/events`, ada, { 'last-event-id': '1' })
  await behind.hear('reset')
  const near = await hearAt(`/v1/spaces/${spaceId}/events`, ada, { 'last-event-id': '3000' })
  await near.hear(({ id }) => id === '11251')
  assert.deepEqual([near.events.length, near.events[1]?.id], [8_252, '3001'])
})

test('clients get all events of concurrent changes, in the order of their numbers', async () => {
  const space = await newSpace()
  const base = await proposed(space)
  const hearing = await hearAt(`${space}/events`)
  const people = [ada, reviewer, await world.person('third', 'review')]
  await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      people[i % 3]!(`POST ${base}/comments`, { body: { markdown: String(i) } }),
    ),
  )
  await until(() => hearing.events.length >= 31, 'all comments')
  const ids = hearing.events.map(({ id }) => Number(id))
  assert.deepEqual(
    ids,
    ids.map((_, i) => ids[0]! + i),
  )
  assert.equal(new Set(hearing.events.map(({ data }) => data.comment)).size, 31)
})

test('a listener who loses access hears no more: the grant, the membership or the token', async () => {
  const space = await newSpace()
  const base = await proposed(space)
  const ends: [string, (person: Person) => Promise<unknown>][] = [
    [
      'membership',
      async ({ id }) =>
        assert.equal((await ada(`DELETE /v1/orgs/${organizationId}/members/${id}`)).status, 204),
    ],
    [
      'token',
      async (person) => {
        const { body } = await person('GET /v1/user/tokens')
        for (const { id } of body.items) await person(`DELETE /v1/user/tokens/${id}`)
      },
    ],
    [
      'grant',
      async ({ id }) =>
        assert((await ada(`PATCH ${space}/permissions/users/${id}`, { role: null })).status === 204),
    ],
  ]
  for (const [what, end] of ends) {
    const person = await world.person(`listener-${what}`, 'read')
    const invited = await ada(`POST ${space}/permissions`, { users: [person.id], role: 'edit' })
    assert.equal(invited.status, 204, invited.text)
    const hearing = await hearAt(`${base}/events`, person)
    await until(() => hearing.heartbeats > 0, 'a heartbeat')
    await end(person)
    await hearing.ended
    const heard = hearing.events.length
    await ada(`PATCH ${base}`, { subject: what })
    await wait(2 * limits.pollMs)
    assert.equal(hearing.events.length, heard, what)
    assert([401, 404].includes((await listen(url, `${base}/events`, person)).status), what)
  }
})

test('a stream ends when its token expires', async () => {
  const space = await newSpace()
  const expiresAt = new Date(Date.now() + 1_000).toISOString()
  const { body } = await ada('POST /v1/user/tokens', { label: 'short', expiresAt })
  const hearing = await hearAt(`${space}/events`, { token: body.token } as Person)
  await hearing.ended
  assert(new Date().toISOString() > expiresAt)
})

test('a user has a bounded number of streams, and one that was left makes room', async () => {
  const space = await newSpace()
  const person = await world.person('collector', 'read')
  const own = await Promise.all(Array.from({ length: 50 }, () => hearAt(`${space}/events`, person)))
  const refused = await person(`GET ${space}/events`)
  assert.equal(refused.status, 429)
  assert.match(refused.body.error.message, /at most 50 streams/)
  assert.equal(refused.headers.get('retry-after'), '30')
  const before = app.listeners.count()
  own[0]!.leave()
  await until(() => app.listeners.count() === before - 1, 'the server has seen that the client is gone')
  assert.equal((await hearAt(`${space}/events`, person)).status, 200)
  own.forEach((hearing) => hearing.leave())
})

test('HEAD has the headers of a stream and ends', async () => {
  leaveAll()
  await until(() => app.listeners.count() === 0, 'those of the other tests are gone')
  const { status, headers } = await ada(`HEAD ${await newSpace()}/events`)
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream; charset=utf-8'])
  assert.equal(app.listeners.count(), 0)
})

test('a client that does not read is cut off, and the others hear everything', async () => {
  const space = await newSpace()
  const spaceId = idOf(space)
  const before = app.listeners.count()
  const slow = await hearAt(`${space}/events`)
  const quick = await hearAt(`${space}/events`)
  slow.response.pause()
  const filler = { kind: 'content' as const, data: { revision: 'x'.repeat(20_000) } }
  let sent = 0
  for (const end = Date.now() + 60_000; app.listeners.count() > before + 1;) {
    assert(Date.now() < end, 'the client is cut off')
    await db.write((tx) => appendSpaceEvents(tx, spaceId, [filler], new Date()))
    sent += 1
    app.listeners.tell()
    await until(() => quick.events.length === sent + 1, 'the other hears')
  }
  assert.equal(quick.isClosed, false)
  assert.equal(quick.events.length, sent + 1)
})

test('many clients hear of a change, and leave nothing behind when they vanish', async () => {
  const space = await newSpace()
  const base = await proposed(space)
  const crowd = isLongRun() ? 1_000 : 200
  const people = await Promise.all(
    Array.from({ length: crowd / 50 }, (_, i) => world.person(`crowd-${i}`, 'read')),
  )
  // Checks of access as rare as usual: a thousand a second would be more than a slow database has time for.
  const { url: there, app: server } = await another({ checkMs: 20_000 })
  const listenAs = (person: Person) =>
    Promise.all(Array.from({ length: 50 }, () => hearAt(`${space}/events`, person, {}, there)))
  const all: Hearing[] = []
  for (const person of people) all.push(...(await listenAs(person)))
  assert.equal(server.listeners.count(), crowd)
  await ada(`PATCH ${base}`, { subject: 'For all' })
  await Promise.all(all.map((hearing) => hearing.hear('change-request')))
  all.forEach((hearing) => hearing.leave())
  await until(() => server.listeners.count() === 0, 'the server has seen that all are gone')
})

test('a change by one server is heard by the clients of another', async () => {
  const space = await newSpace()
  const base = await proposed(space)
  const second = await another({ total: 3 })
  const there = await hearAt(`${base}/events`, reviewer, {}, second.url)
  await ada(`PATCH ${base}`, { subject: 'From the first' })
  await there.hear('change-request')
  const here = await hearAt(`${base}/events`)
  const answer = await fetch(`${second.url}${base}/comments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ body: { markdown: 'From the second' } }),
  })
  assert(answer.ok)
  await Promise.all([here.hear('comment'), there.hear('comment')])
  there.leave()
})

test('a process has a bounded number of streams, and ends them when it stops', async () => {
  const space = await newSpace()
  const second = await another({ total: 3 })
  const three = await Promise.all([1, 2, 3].map(() => hearAt(`${space}/events`, ada, {}, second.url)))
  const refused = await hearAt(`${space}/events`, ada, {}, second.url)
  assert.equal(refused.status, 503)
  assert.equal(refused.headers['retry-after'], '30')
  const start = Date.now()
  await second.close()
  await Promise.all(three.map(({ ended }) => ended))
  assert(Date.now() - start < 5_000, 'the server did not wait for its listeners')
  assert(
    three.every(({ response }) => response.complete),
    'the streams ended as responses do',
  )
})

/** Sessions of browsers: which requests their cookies count for, and when they end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastUses } from '../../src/access/credentials/last-uses.ts'
import { SESSION_COOKIE } from '../../src/access/credentials/sessions.ts'
import { readConfig } from '../../src/installation/config.ts'
import { SESSIONS_MAX } from '../../src/model/people/session.ts'
import { inSession, openSessionFor } from '../signed-in.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, nobody, clock } = world
const DAY = 24 * 60 * 60_000

test('a session acts as its user, like a token', async () => {
  const browser = await inSession(world, ada)
  assert.equal((await browser('GET /v1/user')).body.id, ada.id)
  const made = await browser('POST /v1/orgs', { title: 'In a session' })
  assert.equal(made.status, 201, made.text)
  const events = await ada(`GET /v1/orgs/${made.body.id}/audit-events`)
  assert.equal(events.body.items[0].actor.id, ada.id)
})

test('a token in the request counts instead of the cookie, even a wrong one', async () => {
  const { cookie } = await inSession(world, ada)
  const bob = await world.person('bob', 'read')
  assert.equal((await bob('GET /v1/user', undefined, { cookie })).body.id, bob.id)
  const wrong = await nobody('GET /v1/user', undefined, { cookie, authorization: 'Bearer lec_wrong' })
  assert.equal(wrong.status, 401)
})

test('another cookie, an empty or a long one is no session', async () => {
  const { cookie } = await inSession(world, ada)
  const [name, value] = cookie.split('=')
  for (const wrong of [`x${name}=${value}`, `${name}=`, `${name}=${'a'.repeat(5000)}`, `session=${value}`])
    assert.equal((await nobody('GET /v1/user', undefined, { cookie: wrong })).status, 401, wrong.slice(0, 40))
  assert.equal((await nobody('GET /v1/user', undefined, { cookie: `a=b; ${cookie}; c=d` })).status, 200)
})

const origin = new URL(world.url).origin

test('a change requires that a page of the server sent it', async () => {
  const { cookie } = await inSession(world, ada)
  const change = (headers: Record<string, string>) =>
    nobody('POST /v1/user/tokens', { label: 'forged' }, { cookie, ...headers })
  const count = async () => (await ada('GET /v1/user/tokens')).body.count
  const before = await count()
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'same-origin, cross-site' },
    { 'sec-fetch-site': 'cross-site', origin },
    { 'sec-fetch-site': 'same-site', origin, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    { origin: 'null' },
    { origin: 'https://docs.localhost' },
    { origin: `${origin}.example.com` },
    { referer: `${origin}/app` },
    {},
  ]
  for (const headers of foreign) {
    const { status, body } = await change(headers)
    assert.equal(status, 403, JSON.stringify(headers))
    assert.match(body.error.message, /only accepted from pages of this server/)
  }
  assert.equal(await count(), before)
  assert.equal((await change({ 'sec-fetch-site': 'same-origin' })).status, 201)
  assert.equal((await change({ origin })).status, 201)
})

test('other pages cannot read with the cookie, but a link can open a resource', async () => {
  const { cookie } = await inSession(world, ada)
  const read = async (headers: Record<string, string>) =>
    (await nobody('GET /v1/user', undefined, { cookie, ...headers })).status
  for (const site of ['cross-site', 'same-site']) {
    assert.equal(await read({ 'sec-fetch-site': site }), 403)
    for (const dest of ['image', 'script', 'iframe', 'empty'])
      assert.equal(
        await read({ 'sec-fetch-site': site, 'sec-fetch-dest': dest, 'sec-fetch-mode': 'no-cors' }),
        403,
      )
    const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }
    assert.equal(await read({ 'sec-fetch-site': site, ...frame }), 403)
    const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    assert.equal(await read({ 'sec-fetch-site': site, ...link }), 200)
  }
  assert.equal(await read({ origin: 'https://elsewhere.example' }), 403)
  assert.equal(await read({ origin: 'null' }), 403)
  assert.equal(await read({}), 200)
  assert.equal(await read({ origin }), 200)
  for (const own of ['none', 'same-origin']) assert.equal(await read({ 'sec-fetch-site': own }), 200)
})

test('no response allows another origin to send cookies', async () => {
  const { cookie } = await inSession(world, ada)
  const headers = { cookie, origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' }
  for (const request of ['OPTIONS /v1/user', 'GET /v1/user', 'GET /v1'])
    assert.equal(
      (await nobody(request, undefined, headers)).headers.get('access-control-allow-credentials'),
      null,
    )
})

test('where no caller is needed, the cookie of another page is ignored', async () => {
  const { cookie } = await inSession(world, ada)
  const headers = { cookie, 'sec-fetch-site': 'cross-site' }
  assert.equal((await nobody('GET /v1', undefined, headers)).status, 200)
  const url = `${world.url}/sites/docs/nothing`
  assert.equal((await nobody('POST /v1/urls/published', { url }, headers)).status, 404)
})

test('a session expires without use, and at the latest after 30 days', async () => {
  const start = Date.now()
  const idle = await inSession(world, ada)
  const used = await inSession(world, ada)
  const statusAt = async (browser: typeof idle, days: number) => {
    clock.now = new Date(start + days * DAY)
    return (await browser('GET /v1/user')).status
  }
  try {
    assert.equal(await statusAt(used, 13), 200)
    // The time of the last use is written when the server closes, and in between.
    await world.db.write((tx) =>
      tx
        .updateTable('session')
        .set({ lastUsedAt: new Date(start + 13 * DAY).toISOString() })
        .where('id', '=', used.sessionId)
        .execute(),
    )
    assert.equal(await statusAt(idle, 13.9), 200)
    assert.equal(await statusAt(idle, 14.1), 401)
    assert.equal(await statusAt(used, 14.1), 200)
    await world.db.write((tx) =>
      tx
        .updateTable('session')
        .set({ lastUsedAt: new Date(start + 26 * DAY).toISOString() })
        .where('id', '=', used.sessionId)
        .execute(),
    )
    assert.equal(await statusAt(used, 29.9), 200)
    assert.equal(await statusAt(used, 30.1), 401)
  } finally {
    clock.now = undefined
  }
})

test('the configuration sets the times of sessions, also of those that are open', async () => {
  const { sessionTimes } = readConfig({ LECTERN_SESSION_HOURS: '12', LECTERN_SESSION_IDLE_MINUTES: '30' })
  assert.deepEqual(sessionTimes, { ageMs: 12 * 3_600_000, idleMs: 30 * 60_000 })
  const { services } = world.app
  const before = { ...services.sessionTimes }
  const kim = await inSession(world, await world.person('kim', 'read'))
  try {
    Object.assign(services, { sessionTimes })
    const start = Date.now()
    const statusAfter = async (minutes: number) => {
      clock.now = new Date(start + minutes * 60_000)
      return (await kim('GET /v1/user')).status
    }
    const { expiresAt } = (await kim('GET /v1/user/sessions')).body.items[0]
    assert(Math.abs(Date.parse(expiresAt) - start - sessionTimes.idleMs) < 10_000)
    assert.equal(await statusAfter(31), 401)
    await world.db.write((tx) =>
      tx
        .updateTable('session')
        .set({ lastUsedAt: new Date(start + 11.9 * 3_600_000).toISOString() })
        .where('id', '=', kim.sessionId)
        .execute(),
    )
    assert.equal(await statusAfter(11.95 * 60), 200)
    assert.equal(await statusAfter(12.1 * 60), 401)
    clock.now = undefined

    await kim('PUT /v1/account/password', { password: 'correct horse battery' })
    const signIn = { email: 'kim@example.com', password: 'correct horse battery' }
    const { body } = await nobody('POST /v1/account/sessions', signIn)
    assert(Math.abs(Date.parse(body.expiresAt) - Date.now() - sessionTimes.ageMs) < 10_000)
  } finally {
    clock.now = undefined
    Object.assign(services, { sessionTimes: before })
  }
})

test('one session is ended by itself, and all others together, with the tokens of sign-ins', async () => {
  const eve = await world.person('eve', 'read')
  await eve('PUT /v1/account/password', { password: 'correct horse battery' })
  const signIn = { email: 'eve@example.com', password: 'correct horse battery' }
  const { token } = (await nobody('POST /v1/account/sessions', signIn)).body
  const [first, second, third] = [
    await inSession(world, eve),
    await inSession(world, eve),
    await inSession(world, eve),
  ]

  const list = await first('GET /v1/user/sessions')
  assert.deepEqual(
    list.body.items.map((one: { id: string; current: boolean }) => [one.id, one.current]),
    [
      [third.sessionId, false],
      [second.sessionId, false],
      [first.sessionId, true],
    ],
  )
  assert(!list.text.includes(first.cookie.split('=')[1]!))
  assert.equal(list.body.items[0].userAgent, 'test')

  assert.equal((await first(`DELETE /v1/user/sessions/${second.sessionId}`)).status, 205)
  assert.equal((await first(`DELETE /v1/user/sessions/${second.sessionId}`)).status, 204)
  assert.equal((await second('GET /v1/user')).status, 401)
  const adas = await openSessionFor(world, ada.id)
  assert.equal((await first(`DELETE /v1/user/sessions/${adas.id}`)).status, 204)
  assert.equal((await nobody('GET /v1/user', undefined, { cookie: adas.cookie })).status, 200)

  assert.equal((await first('DELETE /v1/user/sessions')).status, 205)
  assert.equal((await third('GET /v1/user')).status, 401)
  assert.equal((await nobody('GET /v1/user', undefined, { authorization: `Bearer ${token}` })).status, 401)
  assert.equal((await first('GET /v1/user')).status, 200)
  assert.equal((await eve('GET /v1/user')).status, 200, 'API tokens stay')
})

test('a changed password ends all other sessions', async () => {
  const fay = await world.person('fay', 'read')
  const [first, second] = [await inSession(world, fay), await inSession(world, fay)]
  assert.equal((await first('PUT /v1/account/password', { password: 'correct horse battery' })).status, 204)
  assert.equal((await first('GET /v1/user')).status, 200)
  assert.equal((await second('GET /v1/user')).status, 401)
})

test('a first password requires a recent sign-in', async () => {
  const jim = await inSession(world, await world.person('jim', 'read'))
  const set = () => jim('PUT /v1/account/password', { password: 'correct horse battery' })
  clock.now = new Date(Date.now() + 16 * 60_000)
  assert.equal((await set()).status, 403)
  clock.now = undefined
  assert.equal((await set()).status, 204)
})

test('a token made in a session expires with it, unless the password is sent', async () => {
  const gus = await world.person('gus', 'read')
  const password = 'correct horse battery'
  await gus('PUT /v1/account/password', { password })
  const browser = await inSession(world, gus)
  const { expiresAt } = (await browser('GET /v1/user/sessions')).body.items[0]
  const bounded = (await browser('POST /v1/user/tokens', { label: 'a' })).body
  assert(
    Date.parse(bounded.expiresAt) > Date.parse(expiresAt),
    'the absolute expiry is later than the idle one',
  )
  assert((await browser('POST /v1/user/tokens', { label: 'b', password })).body.expiresAt === undefined)
})

test('a user has a limited number of sessions; the oldest ones end', async () => {
  const hal = await world.person('hal', 'read')
  const first = await inSession(world, hal)
  for (let i = 1; i < SESSIONS_MAX; i++) await openSessionFor(world, hal.id)
  assert.equal((await first('GET /v1/user')).status, 200)
  await openSessionFor(world, hal.id)
  assert.equal((await first('GET /v1/user')).status, 401)
  assert.equal((await hal('GET /v1/user/sessions?limit=200')).body.items.length, SESSIONS_MAX)
})

test('the times of use are written in batches', async () => {
  const ivy = await world.person('ivy', 'read')
  const browser = await inSession(world, ivy)
  const uses = lastUses(world.db, 'session')
  uses.note(browser.sessionId, new Date('2030-01-01T00:00:00Z'))
  await uses.flush()
  const { body } = await browser('GET /v1/user/sessions')
  assert.equal(body.items[0].lastUsedAt, '2030-01-01T00:00:00.000Z')
})

test('the cookie has the prefix that binds it to the host', () => {
  assert.match(SESSION_COOKIE, /^__Host-/)
})

/** Several copies of the server on one database: limits count once, and imports are seen from everywhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tx } from '../../src/db/schema.ts'
import { clientOf } from '../../src/http/limits/networks.ts'
import type { Insight } from '../../src/http/insights.ts'
import { type Take, sharedRates } from '../../src/http/limits/rate.ts'
import { sharedCounts } from '../../src/http/limits/shared-counts.ts'
import { expireEvents } from '../../src/jobs/expire-events.ts'
import { startCopy } from '../copies.ts'
import { until } from '../waiting.ts'
import { createWorld } from '../world.ts'

const LIMIT = 50
const world = await createWorld({ LECTERN_SECRET: 's'.repeat(48), LECTERN_RATE_LIMIT: String(LIMIT) })
const { nobody } = world
const copy = await startCopy(world)
const apps = [world.app, copy.app] as const
const exchange = async () => {
  for (const { services } of apps) await services.rates.exchange()
}
const START = new Date('2030-01-01T00:00:00Z')
const minute = (count: number) => new Date(START.getTime() + count * 60_000)

/** Every kind of attempt, and how many the installation lets pass. */
const ATTEMPTS = {
  'for an address, from one network': [10, (i: number) => ({ ip: `192.0.2.${i}`, email: 'one@example.com' })],
  'for an address, from all networks': [
    100,
    (i: number) => ({ ip: `10.1.${i}.1`, email: 'all@example.com' }),
  ],
  'from one network': [100, (i: number) => ({ ip: '10.2.0.1', email: `${i}@example.com` })],
  'from a /56': [200, (i: number) => ({ ip: `2001:db8:7:${(i % 256).toString(16)}::1` })],
  'with links': [100, () => ({ ip: '10.3.0.1', by: 'link' as const })],
  'with passkeys': [100, () => ({ ip: '10.4.0.1', by: 'passkey' as const })],
  'by a device': [10, () => ({ ip: '10.5.0.1', device: 'known' })],
  'to send a code': [10, (i: number) => ({ ip: `10.6.${i}.1`, key: 'code:user' })],
} as const

for (const [name, [most, attemptOf]] of Object.entries(ATTEMPTS))
  test(`attempts ${name} count once for all copies`, async () => {
    let passed = 0
    for (let i = 0; i < most + 6; i++) {
      const attempt = apps[i % 2]!.services.attempt(attemptOf(i), START)
      await attempt.then(
        () => passed++,
        (error: unknown) => assert.equal((error as { status?: number }).status, 429),
      )
    }
    assert.equal(passed, most)
    await copy.app.services.attempt(attemptOf(0), minute(15))
  })

test('passwords that are sent to two copies at once do not pass the limit', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) =>
      apps[i % 2]!.services.attempt({ ip: '10.7.0.1', email: 'both@example.com' }, START),
    ),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 10)
})

test('a wrong password at one copy counts at the other, and no address is stored', async () => {
  world.clock.now = START
  const email = 'stored@example.com'
  const wrong = (at: string) =>
    nobody(
      `POST ${at}/v1/account/sessions`,
      { email, password: 'wrong' },
      { 'x-forwarded-for': '203.0.113.9' },
    )
  for (let i = 0; i < 10; i++) assert.equal((await wrong(i % 2 ? world.url : copy.url)).status, 401)
  for (const at of [world.url, copy.url]) assert.equal((await wrong(at)).status, 429)
  const rows = await world.db.read.selectFrom('sharedCount').selectAll().execute()
  assert(rows.length > 0)
  for (const { key } of rows) assert.match(key, /^[\w-]{22}$/)
})

test('requests count once for all copies, and the headers say what is left', async () => {
  world.clock.now = minute(1)
  const ask = (at: string) => nobody(`GET ${at}/v1/user`, undefined, { authorization: 'Bearer unknown' })
  const left: number[] = []
  for (let i = 0; ; i++) {
    const { status, headers } = await ask(i % 2 ? world.url : copy.url)
    if (status === 429) break
    left.push(Number(headers.get('x-ratelimit-remaining')))
    await exchange()
  }
  // A copy tells the other nothing before it has served a tenth of the limit.
  assert(left.length <= LIMIT * 1.1 + 1, `${left.length} requests`)
  assert(left.length >= LIMIT)
  assert(left.at(-1)! <= 1, 'the last request knew of those of the other copy')
  for (const at of [world.url, copy.url]) assert.equal((await ask(at)).status, 429)
  world.clock.now = minute(2)
  assert.equal((await ask(copy.url)).status, 401)
})

test('events of visitors count once for all copies', async () => {
  world.clock.now = minute(3)
  const events = Array.from({ length: 50 }, () => ({ siteId: 'a site' }) as Insight)
  let counted = 0
  const send = (i: number) => {
    apps[i % 2]!.services.insights.note('a site', events, clientOf('203.0.113.1'), minute(3))
    counted += events.length
  }
  await assert.rejects(
    async () => {
      for (let i = 0; ; i++) {
        send(i)
        await exchange()
      }
    },
    { status: 429 },
  )
  assert(counted >= 900 && counted <= 1_150, `${counted} events`)
})

test('every limiter of rates counts once for all copies', async () => {
  world.clock.now = minute(4)
  for (const what of ['mcp', 'try', 'share of site']) {
    const takes = apps.map(({ services }) => services.rates.limiter(what, 30))
    let passed = 0
    for (let i = 0; i < 100; i++) {
      if (!takes[i % 2]!('caller', minute(4)).over) passed++
      await exchange()
    }
    assert(passed >= 30 && passed <= 34, `${what}: ${passed}`)
  }
})

/** Rates over counts that the test sees. */
function observedRates(add: (additions: readonly { name: string; amount: number }[]) => Promise<number[]>) {
  return sharedRates({ read: async () => [], add }, () => START)
}

test('a limiter exchanges nothing while it is idle, or for callers that use little', async () => {
  const added: number[] = []
  const rates = observedRates(async (additions) => {
    for (const { amount } of additions) added.push(amount)
    return additions.map(() => added.reduce((sum, one) => sum + one, 0))
  })
  const take: Take = rates.limiter('requests', 100)
  for (let i = 0; i < 9; i++) take('a', START)
  await rates.exchange()
  assert.deepEqual(added, [])
  for (let i = 0; i < 11; i++) take('a', START)
  await rates.exchange()
  await rates.exchange()
  assert.deepEqual(added, [20])
  take('a', START)
  await rates.exchange()
  assert.deepEqual(added, [20, 1])
})

test('without the database a limiter goes on for itself, and tells later what it has counted', async () => {
  let isLost = true
  const added: number[] = []
  const rates = observedRates(async (additions) => {
    if (isLost) throw new Error('lost')
    return additions.map(({ amount }) => {
      added.push(amount)
      return amount + 5
    })
  })
  const take = rates.limiter('requests', 10)
  for (let i = 0; i < 3; i++) {
    assert.equal(take('a', START).over, false)
    await assert.rejects(() => rates.exchange(), /lost/)
  }
  isLost = false
  await rates.exchange()
  assert.deepEqual(added, [3])
  assert.equal(take('a', START).remaining, 1, 'three here, five elsewhere, and this one')
})

test('an import is seen from another copy until it ends', async () => {
  world.clock.now = minute(5)
  const { body: space } = await world.ada(`POST /v1/orgs/${world.organizationId}/spaces`, {
    title: 'Imported',
  })
  const path = `/v1/spaces/${space.id}/content/import`
  const seenAt = async (at: string) => (await world.ada(`GET ${at}${path}`)).body.imports
  const { imports } = copy.app.services
  {
    using running = imports.track(space.id, minute(5))
    await imports.publish()
    running.enter({ stage: 'reading', done: 2, total: 8 })
    await imports.publish()
    const expected = [{ stage: 'reading', done: 2, total: 8, startedAt: minute(5).toISOString() }]
    for (const at of [copy.url, world.url]) assert.deepEqual(await seenAt(at), expected)
  }
  await imports.publish()
  for (const at of [copy.url, world.url]) assert.deepEqual(await seenAt(at), [])
})

test('the imports of a copy that died are listed until their lease ends', async () => {
  const { imports } = copy.app.services
  world.clock.now = minute(6)
  using lost = imports.track('space of the lost', minute(6))
  await imports.publish()
  const { imports: others } = world.app.services
  world.clock.now = new Date(minute(6).getTime() + 14_000)
  assert.equal((await others.of('space of the lost')).length, 1)
  world.clock.now = new Date(minute(6).getTime() + 15_001)
  assert.deepEqual(await others.of('space of the lost'), [])
  lost.enter({ stage: 'writing' })
  await imports.publish()
  assert.equal((await others.of('space of the lost')).length, 1, 'a copy that was only slow is back')
})

test('a copy without the database logs once that it counts for itself, and adds its counts when it stops', async (t) => {
  world.clock.now = minute(7)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const third = await startCopy(world)
  const warn = t.mock.method(third.app.server.log, 'warn', () => undefined)
  const { write: writeToDatabase } = third.db
  const err = new Error('lost')
  let isLost = true
  const write = t.mock.method(third.db, 'write', (work: (tx: Tx) => Promise<unknown>) =>
    isLost ? Promise.reject(err) : writeToDatabase(work),
  )
  const [take, takeElsewhere] = [third.app, world.app].map(({ services }) => services.rates.limiter('c', 10))
  const second = async () => {
    const before = write.mock.callCount()
    take!('caller', minute(7))
    t.mock.timers.tick(1_000)
    await until(() => write.mock.callCount() > before, 'the counts are written')
    await Promise.allSettled([write.mock.calls.at(-1)!.result])
    await new Promise(setImmediate)
  }
  const logged = () => warn.mock.calls.map(({ arguments: [, message] }) => message)
  const LINE = 'this copy cannot tell the others what it has counted and imports; it will retry'

  for (let i = 0; i < 2; i++) await second()
  assert.deepEqual(logged(), [LINE])
  assert.deepEqual(warn.mock.calls[0]!.arguments[0], { err })
  isLost = false
  await second()
  isLost = true
  await second()
  assert.deepEqual(logged(), [LINE, LINE], 'it was back meanwhile')

  isLost = false
  await third.close()
  takeElsewhere!('caller', minute(7))
  await world.app.services.rates.exchange()
  assert.equal(takeElsewhere!('caller', minute(7)).remaining, 4, 'four there, and two here')
})

test('the hourly job deletes the counts whose window has ended, and the imports whose lease has', async () => {
  const { db, app, clock } = world
  clock.now = minute(8)
  const [ended, going] = [minute(9), minute(10)].map((end) => end.getTime())
  const counts = sharedCounts(db, () => 'a secret')
  const name = (i: number) => `count ${i}`
  // More than one transaction deletes.
  await counts.add(Array.from({ length: 1_005 }, (_, i) => ({ name: name(i), amount: 1, endsAt: ended! })))
  await counts.add([{ name: 'going', amount: 7, endsAt: going! }])
  using lost = app.services.imports.track('a space', minute(8))
  await app.services.imports.publish()

  const rows = async () => {
    const [{ ends }, { leases }] = await Promise.all([
      db.read
        .selectFrom('sharedCount')
        .select(({ fn }) => fn.countAll().as('ends'))
        .where('endsAt', '<=', minute(9).toISOString())
        .executeTakeFirstOrThrow(),
      db.read
        .selectFrom('runningImport')
        .select(({ fn }) => fn.countAll().as('leases'))
        .where('spaceId', '=', 'a space')
        .executeTakeFirstOrThrow(),
    ])
    return [Number(ends), Number(leases)]
  }
  const run = () => expireEvents(app.services)({} as never, {} as never)
  await run()
  assert.deepEqual(await rows(), [1_005, 1], 'nothing has ended yet')
  clock.now = minute(9)
  await run()
  assert.deepEqual(await rows(), [0, 0])
  assert.deepEqual(await counts.read([name(0), 'going']), [0, 7])
  lost.enter({ stage: 'writing' })
})

/** Strangers who try passwords: they neither guess one nor lock its owner out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomText } from '../../src/core/data/id.ts'
import { attemptLimiter } from '../../src/http/limits/attempts.ts'
import { clientOf, networksOf } from '../../src/http/limits/networks.ts'
import type { Insight } from '../../src/http/insights.ts'
import { sharedCounts } from '../../src/http/limits/shared-counts.ts'
import { rateLimiter } from '../../src/http/limits/rate.ts'
import { insightRecorder } from '../../src/model/sites/insights/insight-recorder.ts'
import { createWorld, stopClock } from '../world.ts'

const world = await createWorld()
const PASSWORD = 'correct horse battery'

async function owner(name: string) {
  const one = await world.person(name, 'read')
  assert.equal((await one('PUT /v1/account/password', { password: PASSWORD })).status, 204)
  const email = `${name}@example.com`
  const signIn = (ip: string, password = PASSWORD, device?: string) =>
    world.nobody('POST /v1/account/sessions', { email, password, device }, { 'x-forwarded-for': ip })
  return { email, signIn }
}

/** A limiter that has counted nothing: the keys of its counts are its own. */
function freshLimiter() {
  const secret = randomText(32)
  return attemptLimiter(sharedCounts(world.db, () => secret))
}

test('ten wrong passwords from one network do not lock the owner out elsewhere', async (t) => {
  stopClock(t, world)
  const { signIn } = await owner('ann')
  for (let i = 1; i <= 10; i++) assert.equal((await signIn(`198.51.100.${i}`, 'wrong')).status, 401)
  const refused = await signIn('198.51.100.200')
  assert.equal(refused.status, 429, 'another address of the same network')
  assert(Number(refused.headers.get('retry-after')) > 0)
  assert.equal((await signIn('203.0.113.7')).status, 201)

  world.clock.now = new Date(Date.now() + 15 * 60_000)
  assert.equal((await signIn('198.51.100.200')).status, 201)
})

test('guesses from many networks stop at 100, and a known device still signs in, from any network', async (t) => {
  stopClock(t, world)
  const { email, signIn } = await owner('bea')
  const { device } = (await signIn('203.0.113.7')).body
  // The limiter is called as the route calls it: a hundred real attempts would hash for seconds.
  const guesser = (i: number) => ({ ip: `100.64.${i}.1`, email })
  for (let i = 0; i < 99; i++) await world.app.services.attempt(guesser(i), world.clock.now!)
  assert.equal((await signIn('192.0.2.1')).status, 429, 'an unknown device')
  for (const ip of ['192.0.2.1', '203.0.113.7', '100.64.1.1'])
    assert.equal((await signIn(ip, PASSWORD, device)).status, 201, ip)
})

test('a device has ten attempts, and one of another address, forged or expired has none of its own', async () => {
  const { devices, attempt } = world.app.services
  const now = new Date()
  const device = devices.issue('a@example.com', now)
  const name = devices.recognize(device, 'a@example.com', now)
  assert(name)
  assert.equal(devices.recognize(device, 'b@example.com', now), undefined)
  assert.equal(
    devices.recognize(device, 'a@example.com', new Date(now.getTime() + 366 * 86_400_000)),
    undefined,
  )
  const [first, , signature] = device.split('.')
  assert.equal(devices.recognize(`${first}.zzzzzzzzz.${signature}`, 'a@example.com', now), undefined)
  for (const text of ['', '.', '..', 'a.b', device.slice(0, -1), `${device}.x`.repeat(3)])
    assert.equal(devices.recognize(text, 'b@example.com', now), undefined)

  for (let i = 0; i < 10; i++) await attempt({ ip: '192.0.2.9', device: name }, now)
  await assert.rejects(() => attempt({ ip: '192.0.2.9', device: name }, now), { status: 429 })
})

test('what one network is refused does not use up the attempts of all networks', async () => {
  const attempt = freshLimiter()
  const now = new Date()
  const email = 'a@example.com'
  for (let i = 0; i < 500; i++) {
    try {
      await attempt({ ip: '192.0.2.1', email }, now)
    } catch {
      // Refused, as most of these are.
    }
  }
  await attempt({ ip: '203.0.113.1', email }, now)
})

test('a network is the block of one customer, however its addresses are written', () => {
  const names = (ip: string) => networksOf(ip).map(({ name }) => name)
  assert.deepEqual(names('192.0.2.77'), names('::ffff:192.0.2.1'))
  assert.notDeepEqual(names('192.0.2.77'), names('192.0.3.77'))
  assert.deepEqual(names('2001:db8:1:2::1'), names('2001:DB8:1:2:ffff:ffff:ffff:ffff'))
  // An address in another /64, /56 and /48 than the first, and the networks that it shares with that.
  for (const [ip, shared] of [
    ['2001:db8:1:3::1', 2],
    ['2001:db8:1:102::1', 1],
    ['2001:db8:2:2::1', 0],
  ] as const)
    assert.equal(names('2001:db8:1:2::1').filter((name) => names(ip).includes(name)).length, shared, ip)
  assert.deepEqual(
    clientOf('192.0.2.77').map(({ name }) => name),
    ['192.0.2.77', '192.0.2.0/24'],
  )
  assert.deepEqual(clientOf('2001:db8:1:2::1'), networksOf('2001:db8:1:2::1'))
})

/** The addresses of a customer of a provider: one in each /64 of a /56 or a /48 of IPv6. */
const CUSTOMERS = {
  'a /56': (i: number) => `2001:db8:7:${(i % 256).toString(16)}::1`,
  'a /48': (i: number) => `2001:db8:9:${((i * 257) % 65_536).toString(16)}::1`,
}

/** Twice the largest limit. */
const TRIES = 800

/** How many of many tries a customer succeeds with, from as many networks as they have. */
async function succeeded(
  addressOf: (i: number) => string,
  attempt: (ip: string) => Promise<void> | void,
): Promise<number> {
  let count = 0
  for (let i = 0; i < TRIES; i++) {
    try {
      await attempt(addressOf(i))
      count += 1
    } catch (error) {
      assert.equal((error as { status?: number }).status, 429)
    }
  }
  return count
}

test('a customer with many networks of IPv6 has a few times the attempts of one network', async () => {
  const now = new Date()
  const email = 'a@example.com'
  for (const [customer, [forOne, forAll]] of [
    ['a /56', [20, 200]],
    ['a /48', [40, 400]],
  ] as const) {
    const attempt = freshLimiter()
    const ofOwner = (ip: string) => attempt({ ip, email }, now)
    assert.equal(await succeeded(CUSTOMERS[customer], ofOwner), forOne, customer)
    await ofOwner('203.0.113.1')
    let i = 0
    const fresh = freshLimiter()
    const others = (ip: string) => fresh({ ip, email: `${(i += 1)}@example.com` }, now)
    assert.equal(await succeeded(CUSTOMERS[customer], others), forAll, customer)
  }
})

test('whatever counts clients counts the networks of IPv6 around them, with larger limits', async () => {
  const now = new Date()
  const demand = (over: boolean) => {
    if (over) throw Object.assign(new Error('over'), { status: 429 })
  }
  for (const [customer, times] of [
    ['a /56', 4],
    ['a /48', 16],
  ] as const) {
    const take = rateLimiter(10)
    const requests = await succeeded(CUSTOMERS[customer], (ip) => demand(take(clientOf(ip), now).over))
    assert.equal(requests, 10 * times, customer)
    assert.equal(take(clientOf('2001:db8:8::1'), now).over, false)
    assert.equal(take('a token', now).remaining, 9)
  }
})

/**
 * Reports 100 events to a recorder with its own clock, and returns how many it counted. Its queue may have no room for them
 * (503), but it counts them before.
 */
function eventReporter(start: Date) {
  const { rates } = world.app.services
  const recorder = insightRecorder(world.db, { now: () => start, newId: () => '', days: 30, rates })
  const events = Array.from({ length: 100 }, () => ({}) as Insight)
  return (ip: string, { minute = 0, site = 'a site' }): number => {
    try {
      recorder.note(site, events, clientOf(ip), new Date(start.getTime() + minute * 60_000))
    } catch (error) {
      return (error as { status?: number }).status === 503 ? events.length : 0
    }
    return events.length
  }
}

test('a customer with many networks of IPv6 does not use up the statistics of a site', () => {
  const report = eventReporter(new Date('2030-01-01T00:00:00Z'))
  let counted = 0
  for (let minute = 0; minute < 100; minute += 1)
    for (let i = 0; i < 100; i += 1) counted += report(CUSTOMERS['a /48'](i), { minute })
  assert.equal(counted, 200_000)
  assert.equal(report('203.0.113.1', { minute: 100 }), 100, 'the half of the day that is left to others')
})

test('a client does not report more events by reporting them to many sites', () => {
  const report = eventReporter(new Date('2030-02-01T00:00:00Z'))
  const reportToSites = (ip: string, minute: number) => {
    let counted = 0
    for (let i = 0; i < 120; i += 1) counted += report(ip, { minute, site: `site ${i % 10}` })
    return counted
  }
  assert.equal(reportToSites('203.0.113.1', 0), 5_000)
  assert.equal(reportToSites('198.51.100.1', 0), 5_000)
  assert.equal(reportToSites('203.0.113.1', 1), 5_000)
})

test('a limiter remembers a bounded number of callers', () => {
  const take = rateLimiter(1, 60_000, 3)
  const now = new Date()
  for (const caller of ['a', 'b', 'c', 'd']) take(caller, now)
  assert.equal(take('d', now).over, true)
  assert.equal(take('a', now).over, false, 'forgotten')
})

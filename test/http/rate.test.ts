/** What a client is refused counts neither for its neighbours nor for the networks around them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomText } from '../../src/core/data/id.ts'
import { attemptLimiter } from '../../src/http/limits/attempts.ts'
import type { Insight } from '../../src/http/insights.ts'
import { clientOf } from '../../src/http/limits/networks.ts'
import { type Take, rateLimiter, sharedRates } from '../../src/http/limits/rate.ts'
import { sharedCounts } from '../../src/http/limits/shared-counts.ts'
import { insightRecorder } from '../../src/model/sites/insights/insight-recorder.ts'
import { createWorld } from '../world.ts'

const LIMIT = 10
const world = await createWorld({ LECTERN_RATE_LIMIT: String(LIMIT) })
const START = new Date('2030-01-01T00:00:00Z')

/** A client, and a neighbour in the same larger network. */
const NEIGHBOURS = {
  'an IPv4 address and its /24': ['203.0.113.5', '203.0.113.99'],
  'a /64 and its /56': ['2001:db8:1:1::1', '2001:db8:1:2::1'],
  'a /64 and its /48': ['2001:db8:1:1::1', '2001:db8:1:ff00::1'],
} as const

type Allowed = (ip: string) => boolean | Promise<boolean>

const allowedBy =
  (take: Take): Allowed =>
  (ip) =>
    !take(clientOf(ip), START).over

/** Whether a promise is fulfilled, and not refused with 429. */
const isAllowed = (promise: Promise<unknown>) =>
  promise.then(
    () => true,
    (error: unknown) => {
      assert.equal((error as { status?: number }).status, 429)
      return false
    },
  )

/** Counts that nothing else has. */
function freshCounts() {
  const secret = randomText(32)
  return sharedCounts(world.db, () => secret)
}

/** Sends the requests of a client to two copies of the server in turns, which tell each other what they have counted. */
function copies(): Allowed {
  const counts = freshCounts()
  const rates = [0, 1].map(() => sharedRates(counts, () => START))
  const takes = rates.map((one) => one.limiter('requests', LIMIT))
  let sent = 0
  return async (ip) => {
    const { over } = takes[sent++ % 2]!(clientOf(ip), START)
    for (const one of rates) await one.exchange()
    return !over
  }
}

function attempts(email: string | undefined): Allowed {
  const attempt = attemptLimiter(freshCounts())
  return (ip) => isAllowed(attempt({ ip, ...(email !== undefined && { email }) }, START))
}

/** Reports events to a site of which a client may report 1,000. */
function events(): Allowed {
  const { rates } = world.app.services
  const minute = new Date(START.getTime() + 60_000 * (minutes += 1))
  const recorder = insightRecorder(world.db, { now: () => minute, newId: () => '', days: 30, rates })
  return (ip) =>
    isAllowed(
      (async () =>
        recorder.note(
          'site',
          Array.from({ length: 100 }, () => ({}) as Insight),
          clientOf(ip),
          minute,
        ))(),
    )
}
let minutes = 0

async function overHttp(path: string): Promise<Allowed> {
  world.clock.now = new Date(START.getTime() + 60_000 * (minutes += 1))
  return async (ip) => {
    const { status } = await world.nobody(`GET ${path}`, undefined, { 'x-forwarded-for': ip })
    return status !== 429
  }
}

/** Limiters, and how many requests each lets one client send. Attempts of IPv4 are counted by the /24 alone. */
const LIMITERS: Record<string, { most: number; of: () => Allowed | Promise<Allowed>; ipv4: boolean }> = {
  'a limiter': { most: LIMIT, of: () => allowedBy(rateLimiter(LIMIT)), ipv4: true },
  'a limiter of a day': {
    most: 100,
    of: () => allowedBy(rateLimiter([100, 150, 200], 86_400_000)),
    ipv4: true,
  },
  // The copy that exchanges first learns of the other's last request one exchange later.
  'a limiter of two copies': { most: LIMIT + 1, of: copies, ipv4: true },
  'events of visitors': { most: 10, of: events, ipv4: true },
  'requests to the API': { most: LIMIT, of: () => overHttp('/v1/user'), ipv4: true },
  'requests to sites': { most: LIMIT, of: () => overHttp('/sites/none'), ipv4: true },
  'attempts of a network': { most: 100, of: () => attempts(undefined), ipv4: false },
  'attempts for an address': { most: 10, of: () => attempts('ann@example.com'), ipv4: false },
}

for (const [name, { most, of, ipv4 }] of Object.entries(LIMITERS))
  for (const [around, [client, neighbour]] of Object.entries(NEIGHBOURS)) {
    if (!ipv4 && !client.includes(':')) continue
    test(`${name}, ${around}: a client that is refused uses up nothing of its neighbours`, async () => {
      const allowed = await of()
      let passed = 0
      for (let i = 0; i < 17 * most; i++) if (await allowed(client)) passed += 1
      assert.equal(passed, most)
      assert.equal(await allowed(neighbour), true)
    })
  }

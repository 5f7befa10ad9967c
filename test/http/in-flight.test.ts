import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ApiError } from '../../src/http/errors.ts'
import {
  type Bounds,
  type InFlight,
  inFlight,
  inFlightApart,
  type Transfer,
} from '../../src/http/limits/in-flight.ts'

// The timers of what waits keep no process alive, as a server does that has requests.
const awake = setInterval(() => undefined, 60_000)
after(() => clearInterval(awake))

const BOUNDS = { total: 100, share: 40, waiting: 50, waitMs: 60_000 }
const answers = () => counting(BOUNDS)

/** Requests that still wait when their test is over may be refused then. */
function counting(bounds: Bounds): InFlight {
  const { take } = inFlight(bounds, 'answers')
  return {
    take(...taking) {
      const taken = take(...taking)
      if (taken instanceof Promise) taken.catch(() => undefined)
      return taken
    },
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status === 503 && error.retryAfter !== undefined
}

test('a caller has its share, and all callers have the total', async () => {
  const { take } = answers()
  const release = take('a', 40)
  assert(typeof release === 'function', 'there is room at once')
  const order: string[] = []
  const waits = Promise.resolve(take('a', 30)).then(() => order.push('a'))
  assert.equal(typeof take('b', 40), 'function', 'another caller does not wait')
  const fills = Promise.resolve(take('c', 20)).then(() => order.push('c'))
  await fills
  const later = Promise.resolve(take('d', 10)).then(() => order.push('d'))
  assert.deepEqual(order, ['c'])
  release()
  release()
  await Promise.all([waits, later])
  assert.deepEqual(order, ['c', 'd', 'a'], 'the one that has the least comes first')
})

test('a caller may have one answer that is larger than its share', async () => {
  const { take } = answers()
  const release = take('a', 90)
  assert(typeof release === 'function')
  const second = take('a', 1)
  assert(second instanceof Promise)
  release()
  ;(await second)()
  assert.equal(typeof take('a', 500), 'function', 'and than the total, if there is no other')
})

test('a request that finds no room in time is refused, and so are those beyond the bound of waiting', async () => {
  const { take } = counting({ ...BOUNDS, waitMs: 20 })
  const release = take('a', 40)
  assert(typeof release === 'function')
  const [first, second] = [take('a', 30), take('a', 20)]
  assert.throws(() => take('a', 1), isRefusal)
  await assert.rejects(Promise.resolve(first), isRefusal)
  await assert.rejects(Promise.resolve(second), isRefusal)
  release()
  assert.equal(typeof take('a', 40), 'function', 'requests that were refused hold nothing')
})

/** Considers those that wait all the time. Nobody is slow. */
const AT_ONCE = { patienceMs: 0, graceMs: 60_000, rate: 0, wholeMs: 60_000, everyMs: 1 }

/** A transfer that waits for its client, and notes that it was ended. */
function transfer(ended: string[], name: string, moved = 0): Transfer {
  return { moved: () => moved, isWaiting: () => true, end: () => void ended.push(name) }
}

test('who has the most gives way to who would have less, the newest first, and nobody to their equal', async () => {
  const { take } = counting({ ...BOUNDS, givingWay: AT_ONCE })
  const ended: string[] = []
  const hold = (name: string, bytes: number) => take(name[0]!, bytes, transfer(ended, name))
  for (const name of ['a1', 'a2', 'b1', 'c1', 'd1']) assert.equal(typeof hold(name, 20), 'function')
  const release = await hold('e1', 20)
  assert.deepEqual(ended, ['a2'], 'the newest of the one that had the most')
  const equal = hold('f1', 20)
  const lighter = hold('g1', 19)
  await lighter
  assert.equal(ended.length, 2, 'one that has 20 gives way to one that has 19')
  const before = [...ended]
  release()
  await equal
  assert.deepEqual(ended, before, 'but not to another that has 20')
})

test('what does not wait for its client is not ended', async () => {
  const { take } = counting({ ...BOUNDS, waitMs: 30, givingWay: AT_ONCE })
  const ended: string[] = []
  void take('a', 40, { ...transfer(ended, 'a'), isWaiting: () => false })
  void take('b', 40)
  void take('c', 20, transfer(ended, 'c'))
  await assert.rejects(Promise.resolve(take('d', 30)), isRefusal)
  assert.deepEqual(ended, [])
  await take('d', 10)
  assert.deepEqual(ended, ['c'])
})

test('slow clients give way to everybody, and only when somebody waits', async () => {
  const { take } = counting({
    ...BOUNDS,
    givingWay: { patienceMs: 60_000, graceMs: 20, rate: 1000, wholeMs: 60_000, everyMs: 1 },
  })
  const ended: string[] = []
  void take('slow', 10, transfer(ended, 'slow'))
  void take('fast', 40, transfer(ended, 'fast', Infinity))
  void take('more', 40, transfer(ended, 'more', Infinity))
  const begin = performance.now()
  void take('last', 10, transfer(ended, 'last', Infinity))
  while (performance.now() - begin < 60) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.deepEqual(ended, [], 'there was room')
  await take('new', 10)
  assert.deepEqual(ended, ['slow'])
})

test('many callers who hold all room and wait for more do not keep another out', async () => {
  const { take } = counting({ ...BOUNDS, givingWay: AT_ONCE })
  const ended: string[] = []
  const refused: unknown[] = []
  for (let i = 0; i < 10; i++)
    for (let j = 0; j < 4; j++)
      try {
        const taken = take(`crowd ${i}`, 5, transfer(ended, 'crowd'))
        if (taken instanceof Promise) taken.catch((error: unknown) => refused.push(error))
      } catch (error) {
        refused.push(error)
      }
  await take('other', 4)
  assert(ended.length > 0)
  assert(refused.length > 0 && refused.every(isRefusal))
})

test('callers that hold room already leave a quarter to callers that hold nothing', () => {
  const { take } = counting({ ...BOUNDS, waiting: 100 })
  for (const name of ['a', 'a', 'b']) assert.equal(typeof take(name, 20), 'function')
  assert(take('b', 20) instanceof Promise, 'of the last quarter, also if nothing can be ended')
  for (const name of ['c', 'd']) assert.equal(typeof take(name, 20), 'function')
})

test('large requests leave an eighth to callers that would have little, also if nothing can be ended', () => {
  const { take } = counting({ ...BOUNDS, little: 4 })
  for (const name of ['a', 'b']) assert.equal(typeof take(name, 40), 'function')
  assert(take('c', 8) instanceof Promise)
  assert.equal(typeof take('d', 4), 'function')
  assert(take('d', 1) instanceof Promise, 'who has a little already waits like the others')
  for (const name of ['e', 'e', 'f']) assert.equal(typeof take(name, 2), 'function')
})

test('transfers are ended only if this lets somebody in, and of slow ones the largest', async () => {
  const givingWay = { patienceMs: 60_000, graceMs: 0, rate: 1_000_000, wholeMs: 60_000, everyMs: 1 }
  const { take } = counting({ ...BOUNDS, waitMs: 50, givingWay })
  const ended: string[] = []
  void take('a', 40)
  void take('b', 25)
  void take('c', 10, transfer(ended, 'c'))
  void take('d', 20, transfer(ended, 'd'))
  void take('e', 5, transfer(ended, 'e'))
  await assert.rejects(Promise.resolve(take('f', 39)), isRefusal)
  assert.deepEqual(ended, [], 'the end of all of them would not make room')
  await take('g', 19)
  assert.deepEqual(ended, ['d'])
})

test('a client that has not sent a body of a known size in half a minute gives way', async () => {
  const givingWay = { patienceMs: 60_000, graceMs: 0, rate: 0, wholeMs: 1000, everyMs: 1 }
  const { take } = counting({ ...BOUNDS, givingWay })
  const ended: string[] = []
  void take('a', 40, { ...transfer(ended, 'unknown', 1) })
  void take('b', 40, { ...transfer(ended, 'in time', 40), size: 40 })
  void take('c', 20, { ...transfer(ended, 'late', 0), size: 20 })
  await take('d', 20)
  assert.deepEqual(ended, ['late'])
})

test('a full queue lets in who has less in it', async () => {
  const { take } = counting({ ...BOUNDS, givingWay: { ...AT_ONCE, patienceMs: 60_000 } })
  const releases = [take('a', 40), take('b', 40), take('c', 20)]
  const first = Promise.resolve(take('d', 20))
  const refused = assert.rejects(Promise.resolve(take('d', 30)), isRefusal)
  const waits = take('e', 10)
  await refused
  for (const release of releases) (release as () => void)()
  await first
  assert.equal(typeof (await waits), 'function')
})

test('strangers never take the room of users', () => {
  const { take } = inFlightApart({ users: BOUNDS, networks: BOUNDS }, 'answers')
  for (const name of ['1', '2', '3'])
    assert.equal(typeof take([{ name, level: 0 }], name === '3' ? 20 : 40), 'function')
  const waits = take([{ name: '4', level: 0 }], 10)
  assert(waits instanceof Promise)
  waits.catch(() => undefined)
  assert.equal(typeof take('user', 40), 'function')
})

test('giving way costs in proportion to those that hold room', async () => {
  const costs = await Promise.all(
    [1000, 4000].map(async (count) => {
      const bounds = { total: count, share: count, waiting: count, waitMs: 60_000 }
      const { take } = counting({ ...bounds, givingWay: AT_ONCE })
      let asked = 0
      for (let i = 0; i < count; i++)
        void take(`${i % 500}`, 1, {
          moved: () => 0,
          isWaiting: () => {
            asked += 1
            return true
          },
          end: () => undefined,
        })
      await take('new', 1)
      return asked
    }),
  )
  assert(costs[1]! <= 5 * costs[0]!, `${costs.join(' and ')} looks`)
})

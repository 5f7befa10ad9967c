import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../src/http/errors.ts'
import { inFlight } from '../../src/http/limits/in-flight.ts'

const BOUNDS = { total: 100, share: 40, waiting: 50, waitMs: 60_000 }
const answers = () => inFlight(BOUNDS, 'answers')

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
  assert.deepEqual(order, ['c', 'a', 'd'])
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
  const { take } = inFlight({ ...BOUNDS, waitMs: 20 }, 'answers')
  const release = take('a', 40)
  assert(typeof release === 'function')
  const [first, second] = [take('a', 30), take('a', 20)]
  assert.throws(() => take('a', 1), isRefusal)
  await assert.rejects(Promise.resolve(first), isRefusal)
  await assert.rejects(Promise.resolve(second), isRefusal)
  release()
  assert.equal(typeof take('a', 40), 'function', 'requests that were refused hold nothing')
})

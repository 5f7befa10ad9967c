import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { between, insertAt, spread } from './order.ts'
import { holds } from '../../../../test/property.ts'

function assertKeys(keys: string[]): void {
  keys.forEach((key, i) => {
    assert.match(key, /^[0-9a-z]*[1-9a-z]$/)
    if (i > 0) assert.ok(keys[i - 1]! < key, `${keys[i - 1]} is not before ${key}`)
  })
}

/** The longest key after inserting `count` times where `next` says. */
function longest(count: number, next: (keys: string[], i: number) => number): number {
  const keys: string[] = []
  for (let i = 0; i < count; i++) {
    const at = next(keys, i)
    keys.splice(at, 0, between(keys[at - 1] ?? null, keys[at] ?? null))
  }
  assertKeys(keys)
  return Math.max(...keys.map((key) => key.length))
}

test('any sequence of inserts keeps keys distinct, in order, and open to more', () => {
  holds(
    fc.property(fc.array(fc.nat(), { maxLength: 120, size: 'max' }), fc.nat(12), (places, start) => {
      const keys = spread(start)
      for (const place of places) {
        const at = place % (keys.length + 1)
        keys.splice(at, 0, between(keys[at - 1] ?? null, keys[at] ?? null))
      }
      assertKeys(keys)
    }),
    { cases: 1000 },
  )
})

test('a key between any two valid keys is strictly between them', () => {
  const key = fc.stringMatching(/^[0-9a-z]{0,12}[1-9a-z]$/)
  holds(
    fc.property(key, key, fc.integer({ min: 1, max: 40 }), (a, b, count) => {
      fc.pre(a !== b)
      const [low, high] = a < b ? [a, b] : [b, a]
      assertKeys([low, between(low, high), high])
      assertKeys([between(null, low), low, between(low, null)])
      assertKeys([low, ...spread(count, low, high), high])
      assertKeys([...spread(count, null, low), low, ...spread(count, low)])
    }),
    { cases: 3000 },
  )
})

test('refuses neighbours that leave nothing between them, and what is not a key', () => {
  assert.throws(() => between('b', 'a'), RangeError)
  assert.throws(() => between('a', 'a'), RangeError)
  assert.throws(() => spread(2, 'a', 'a'), RangeError)
  assert.throws(() => between('A', null), RangeError)
})

test('initial keys are short and evenly apart', () => {
  assert.deepEqual(spread(0), [])
  assert.deepEqual(spread(1), ['i'])
  assert.deepEqual(spread(3), ['9', 'i', 'r'])
  for (const [count, length] of [
    [17, 1],
    [600, 2],
    [20_000, 3],
    [50_000, 4],
  ] as const) {
    const keys = spread(count)
    assertKeys(keys)
    assert.equal(keys.length, count)
    assert.ok(keys.every((key) => key.length <= length))
  }
})

test('keys stay short where people insert: at an end, or again and again at one place', () => {
  assert.ok(longest(10_000, (keys) => keys.length) <= 8)
  assert.ok(longest(10_000, () => 0) <= 8)
  assert.ok(longest(10_000, (keys) => Math.min(1, keys.length)) <= 24)
  assert.ok(longest(10_000, (keys) => Math.max(0, keys.length - 1)) <= 24)
  assert.ok(longest(2000, (keys, i) => (i * 7919) % (keys.length + 1)) <= 24)
})

test('an insert at an index lands there, whatever keys the others have', () => {
  const orders = fc.array(fc.stringMatching(/^[0-9a-z]?[1-9a-z]$/), { maxLength: 20 })
  holds(
    fc.property(orders, fc.nat(25), (unsorted, index) => {
      const keys = unsorted.toSorted()
      const at = Math.min(index, keys.length)
      const { order, moved } = insertAt(keys, index)
      const after = keys.map((key, i) => moved.get(i) ?? key)
      for (const key of after.slice(0, at)) assert.ok(key < order)
      for (const key of after.slice(at)) assert.ok(order < key)
      assert.deepEqual(after, after.toSorted())
      if (new Set(keys).size === keys.length) assert.equal(moved.size, 0)
    }),
    { cases: 3000 },
  )
})

test('only the siblings that share a key move', () => {
  const { order, moved } = insertAt(['b', 'k', 'k', 'k', 'q'], 2)
  assert.deepEqual([...moved.keys()], [2, 3])
  assertKeys(['b', 'k', order, moved.get(2)!, moved.get(3)!, 'q'])
})

test('siblings get new keys when inserts alternating at one place have made them long', () => {
  let keys = spread(2)
  let most = 0
  let renewed = 0
  for (let i = 0; i < 2000; i++) {
    const at = i % 2 === 0 ? Math.ceil(keys.length / 2) : Math.floor(keys.length / 2)
    const { order, moved } = insertAt(keys, at)
    keys = keys.map((key, n) => moved.get(n) ?? key)
    keys.splice(at, 0, order)
    if (moved.size > 0) renewed++
    most = Math.max(most, order.length)
  }
  assertKeys(keys)
  assert.ok(most <= 64 && renewed > 0 && renewed < 40, `${most} characters, renewed ${renewed} times`)
})

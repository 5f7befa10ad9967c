import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lru } from './lru.ts'

const kept = (cache: { get(key: string): unknown }, keys: string) =>
  [...keys].filter((key) => cache.get(key)).join('')

test('drops the least recently used values when the sizes exceed the bound', () => {
  const cache = lru<string>(3500)
  for (const key of 'abc') cache.set(key, key, 1000)
  cache.get('a')
  cache.set('d', 'd', 1000)
  assert.equal(kept(cache, 'abcd'), 'acd')
})

test('counts keys, counts a replaced value once, and does not keep a value larger than the cache', () => {
  const cache = lru<string>(1_000_000)
  for (let i = 0; i < 20_000; i++) cache.set(`host-${i}`, 'x', 0)
  let count = 0
  for (let i = 0; i < 20_000; i++) if (cache.get(`host-${i}`)) count++
  assert.ok(count > 1000 && count < 1_000_000 / 128, `${count}`)

  const small = lru<string>(3500)
  for (const key of 'aabb') small.set(key, key, 1000)
  assert.equal(kept(small, 'ab'), 'ab')
  small.set('a', 'large', 5000)
  assert.equal(kept(small, 'ab'), 'b')
})

test('keeps a value that is read, however many others come and go', () => {
  const cache = lru<string>(10_000)
  cache.set('page', 'page', 1000)
  for (let i = 0; i < 1000; i++) {
    assert.ok(cache.get('page'), `after ${i} others`)
    cache.set(`made up ${i}`, 'x', 1000)
  }
})

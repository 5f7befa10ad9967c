import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIndex, firstNumber, need, needItem, needLast, needValue } from './lists.ts'

test('a value that is known to be there is returned, and a missing one is refused by its name', () => {
  const map = new Map([['page', 0]])
  assert.equal(need(map, 'page'), 0)
  assert.throws(() => need(map, 'file'), /no value for file/)
  for (const list of [['', 'b'], Uint8Array.of(0, 2), 'ab']) {
    for (const place of [0, 1]) assert.equal(needItem<string | number>(list, place), list[place])
    for (const place of [-1, 2, 0.5, NaN])
      assert.throws(() => needItem<string | number>(list, place), new RegExp(`2 items has no item at ${place}`))
  }
  assert.equal(needLast([1, 0]), 0)
  assert.throws(() => needLast([]), /empty/)
  for (const value of ['', 0, null, false]) assert.equal(needValue(value, 'the path'), value)
  assert.throws(() => needValue(undefined, 'the path'), /no value for the path/)
})

test('a binary search finds the first item that passes, in lists of every length', () => {
  for (let length = 0; length < 20; length++) {
    const items = Array.from({ length }, (_, i) => 2 * i)
    for (let least = -1; least <= 2 * length; least++) {
      const found = items.findIndex((item) => item >= least)
      const expected = found < 0 ? length : found
      assert.equal(
        firstIndex(items, (item) => item >= least),
        expected,
      )
      assert.equal(
        firstNumber(length, (number) => 2 * number >= least),
        expected,
      )
    }
  }
})

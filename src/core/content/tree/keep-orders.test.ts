import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../../../test/property.ts'
import { keepOrders } from './keep-orders.ts'
import { spread } from './order.ts'

test('siblings that did not move keep their keys', () => {
  const [a, b, c, d] = spread(4) as [string, string, string, string]
  assert.deepEqual(keepOrders([a, b, c, d]), [a, b, c, d])
  const [first, ...moved] = keepOrders([d, a, b, c])
  assert.deepEqual(moved, [a, b, c])
  assert(first! < a)
  const [, between] = keepOrders([a, undefined, b])
  assert(a < between! && between! < b)
  assert.deepEqual(keepOrders([]), [])
})

test('keys increase, and those of increasing siblings stay', () => {
  const shuffled = fc.array(fc.option(fc.nat(40), { nil: undefined }), { maxLength: 60 })
  const keys = spread(41)
  holds(
    fc.property(shuffled, (places) => {
      const known = places.map((place) => (place === undefined ? undefined : keys[place]))
      const orders = keepOrders(known)
      assert.equal(orders.length, known.length)
      for (const [i, order] of orders.entries()) assert(i === 0 || orders[i - 1]! < order)
      const isSorted = known.every((key, i) => key !== undefined && (i === 0 || known[i - 1]! < key))
      if (isSorted) assert.deepEqual(orders, known)
    }),
    { examples: [[[undefined]]] },
  )
})

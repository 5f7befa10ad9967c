/** Where the cards in the margin of a page are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Card, placeCards } from '../../src/console/app/discussion/card-places.ts'
import { holds } from '../property.ts'

const card = (id: string, top: number, height = 100): Card => ({ id, top, height })
const placed = (cards: Card[], active?: string) => Object.fromEntries(placeCards(cards, active))

test('a card is at its place, or below the one that would cover it', () => {
  assert.deepEqual(placed([card('b', 50), card('a', 20), card('c', 500)]), { a: 20, b: 128, c: 500 })
})

test('the active card is at its place, and the others give way', () => {
  const cards = [card('a', 200), card('b', 210), card('c', 220), card('d', 900)]
  assert.deepEqual(placed(cards, 'b'), { a: 102, b: 210, c: 318, d: 900 })
  // A card that finds no room above it is below it.
  assert.deepEqual(placed([card('a', 150), ...cards.slice(1)], 'c'), { a: 4, b: 112, c: 220, d: 900 })
  assert.deepEqual(placed([card('a', 150, 150), ...cards.slice(1)], 'c'), { b: 112, c: 220, a: 328, d: 900 })
  assert.deepEqual(placed([card('a', 20), card('b', 20)], 'b'), { b: 20, a: 128 })
})

test('cards never cover each other, and none is above the page', () => {
  const cards = fc.array(fc.record({ top: fc.nat(2000), height: fc.integer({ min: 1, max: 400 }) }), {
    minLength: 1,
    maxLength: 30,
  })
  holds(
    fc.property(cards, fc.nat(40), (list, chosen) => {
      const all = list.map((one, i) => ({ ...one, id: String(i) }))
      const active = all[chosen]?.id
      const tops = placeCards(all, active)
      const shown = all
        .map(({ id, height }) => ({ top: tops.get(id)!, height }))
        .toSorted((a, b) => a.top - b.top)
      assert.equal(tops.size, all.length)
      assert(shown[0]!.top >= 0)
      for (const [i, { top, height }] of shown.slice(0, -1).entries())
        assert(top + height < shown[i + 1]!.top)
      if (active !== undefined) assert.equal(tops.get(active), all[chosen]!.top)
    }),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../../test/property.ts'
import { tally } from './tally.ts'

test('a tally has what has entered and not left, by key and in all', () => {
  const steps = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), leaves: fc.boolean() }))
  holds(
    fc.property(steps, (all) => {
      const counts = tally()
      const inside: { key: string; leave: () => void }[] = []
      for (const { key, leaves } of all) {
        if (leaves) inside.pop()?.leave()
        else inside.push({ key, leave: counts.enter(key) })
        assert.equal(counts.total(), inside.length)
        for (const one of ['a', 'b', 'c'])
          assert.equal(counts.of(one), inside.filter((entered) => entered.key === one).length)
      }
    }),
    { cases: 2000 },
  )
})

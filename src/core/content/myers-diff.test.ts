import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'

import { compare } from './myers-diff.ts'
import { isLongRun } from '../../../test/effort.ts'
import { holds } from '../../../test/property.ts'

function compared(a: readonly number[], b: readonly number[]) {
  const changed = compare(Int32Array.from(a), Int32Array.from(b), Math.max(0, ...a, ...b), 10_000_000, {
    left: 0,
  })
  return {
    a: a.filter((_, i) => changed.a[i] === 0),
    b: b.filter((_, i) => changed.b[i] === 0),
  }
}

/** How long the longest common subsequence is, by the table. */
function mostInCommon(a: readonly number[], b: readonly number[]): number {
  let row = b.map(() => 0)
  for (const inA of a) {
    const next: number[] = []
    b.forEach((inB, i) =>
      next.push(
        inA === inB ? (i === 0 ? 0 : row[i - 1]!) + 1 : Math.max(row[i]!, i === 0 ? 0 : next[i - 1]!),
      ),
    )
    row = next
  }
  return row.at(-1) ?? 0
}

const sequence = (kinds: number, maxLength: number) =>
  fc.array(fc.nat({ max: kinds }), { maxLength, size: 'max' })

test('as much is common as can be', () => {
  for (const kinds of [1, 2, 5, 40]) {
    const property = fc.property(sequence(kinds, 60), sequence(kinds, 60), (a, b) => {
      const common = compared(a, b)
      assert.deepEqual(common.a, common.b)
      assert.equal(common.a.length, mostInCommon(a, b))
    })
    holds(property, { cases: 1000 })
  }
})

test('of long sequences with little in common, what is found is common, and much of what there is', () => {
  const property = fc.property(
    fc.integer({ min: 1, max: 1e9 }),
    fc.integer({ min: 2, max: 9 }),
    (seed, kinds) => {
      let state = seed
      const next = () => (state = (state * 48_271) % 2_147_483_647)
      const [a, b] = [0, 1].map(() => Array.from({ length: 3000 }, () => next() % kinds)) as [
        number[],
        number[],
      ]
      const common = compared(a, b)
      assert.deepEqual(common.a, common.b)
      assert.ok(common.a.length >= 0.7 * mostInCommon(a, b))
    },
  )
  holds(property, { cases: isLongRun() ? 10 : 2 })
})

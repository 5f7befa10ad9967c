/** Which costs count as linear: those that grow with the input, also on a machine whose caches are small or shared. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear, repeated } from './growth.ts'

/** Judges work that takes a time, in milliseconds, for a number of thousand characters. */
function judge(cost: (thousands: number) => number, longest?: number): void {
  let now = 0
  const work = (input: string) => (now += cost(input.length / 1000))
  assertLinear(repeated('x'), work, undefined, longest, () => now)
}

/** A cost whose part of another power is a share of all at the size from which on costs are compared, where it takes 2 ms. */
const mixed = (share: number, power: number) => (n: number) => (1 - share) * n + 2 * share * (n / 2) ** power

test('a cost that grows with the input is linear, and with logarithms and small caches, too', () => {
  for (const [name, cost] of Object.entries({
    'in proportion': (n: number) => n,
    'with a logarithm': (n: number) => n * Math.log2(1000 * n),
    'six times as much each time': (n: number) => 2 * 6 ** (Math.log2(n / 2) / 2),
    constant: () => 5,
    'with a first step': (n: number) => 50 + n / 10,
    'bounded by the length of its input': (n: number) => Math.min(n, 30) ** 2,
  }))
    assert.doesNotThrow(() => judge(cost), name)
})

test('a cost that grows faster is not linear', () => {
  for (const [name, cost] of Object.entries({
    quadratic: (n: number) => n ** 2,
    'quadratic from a few characters on': mixed(0.1, 2),
    cubic: (n: number) => n ** 3,
    'of the power 1.5': (n: number) => n ** 1.5,
  }))
    assert.throws(() => judge(cost), /Not linear/, name)
  // The largest of inputs with a limit is no larger than the first.
  assert.throws(() => judge((n) => n ** 1.3 * 40, 1000), /Not linear/)
})

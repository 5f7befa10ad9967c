import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PARTS, type TokenLookup, type WordLookups } from './lookups.ts'
import { planLookups, weighEntries } from './weigh.ts'

const lookup = (token: string, weight: number): TokenLookup => ({ token, isPrefix: false, weight })

/** What entries are worth for a word, by their places, if each token is in these entries. */
async function weigh(word: WordLookups, having: Record<string, number[]>, size: number) {
  const plan = planLookups([{ ...word, isDense: false }])
  const found = plan.lookups.map(({ token }) => having[token] ?? [])
  const [weighed] = await weighEntries(plan, found, size)
  return Object.fromEntries(Array.from(weighed!.entries, (entry, i) => [entry, weighed!.weights[i]]))
}

test('an entry is worth its best form, and entries without a form are left out', async () => {
  const word = { whole: [lookup('tlog', 9), lookup('xlog', 1)], parts: [] }
  assert.deepEqual(await weigh(word, { tlog: [3], xlog: [1, 3] }, 5), { 1: 1, 3: 9 })
  assert.deepEqual(await weigh(word, {}, 5), {})
})

test('an entry with all parts of a word has the word, though it is worth less', async () => {
  const word = { whole: [lookup('xab', 1)], parts: [[lookup('xa', 1)], [lookup('xb', 1), lookup('tb', 9)]] }
  const weights = await weigh(word, { xa: [0, 1, 2], xb: [1], tb: [2, 4], xab: [2] }, 5)
  assert.deepEqual(weights, { 1: PARTS, 2: 1 })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEEPEST, nestingFault, outward, within } from './nesting.ts'

const chain = Array.from({ length: DEEPEST }, (_, i) => ({
  id: `c${i}`,
  parent: i === 0 ? null : `c${i - 1}`,
}))
const tree = [
  { id: 'a', parent: null },
  { id: 'b', parent: 'a' },
  { id: 'c', parent: 'b' },
  { id: 'd', parent: 'a' },
]

test('walks inward and outward', () => {
  assert.deepEqual(within(tree, 'a'), ['a', 'b', 'd', 'c'])
  assert.deepEqual(outward(tree, 'c'), ['c', 'b', 'a'])
  assert.deepEqual(outward(tree, null), [])
})

test('refuses a collection in itself or in what it holds', () => {
  assert.equal(nestingFault(tree, 'a', 'a'), 'cycle')
  assert.equal(nestingFault(tree, 'a', 'c'), 'cycle')
  assert.equal(nestingFault(tree, 'c', 'd'), undefined)
  assert.equal(nestingFault(tree, 'b', null), undefined)
})

test('refuses what would be too deep, counting what is moved along', () => {
  assert.equal(nestingFault(chain, null, `c${DEEPEST - 1}`), 'too-deep')
  assert.equal(nestingFault(chain, null, `c${DEEPEST - 2}`), undefined)
  const both = [...chain, ...tree]
  assert.equal(nestingFault(both, 'a', `c${DEEPEST - 4}`), undefined)
  assert.equal(nestingFault(both, 'a', `c${DEEPEST - 3}`), 'too-deep')
})

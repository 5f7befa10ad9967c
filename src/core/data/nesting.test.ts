import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nestingFault, outward, within } from './nesting.ts'

const MAX_COLLECTION_DEPTH = 20
const chain = Array.from({ length: MAX_COLLECTION_DEPTH }, (_, i) => ({
  id: `c${i}`,
  parent: i === 0 ? null : `c${i - 1}`,
}))
const tree = [
  { id: 'a', parent: null },
  { id: 'b', parent: 'a' },
  { id: 'c', parent: 'b' },
  { id: 'd', parent: 'a' },
]

test('lists descendants and ancestors', () => {
  assert.deepEqual(within(tree, 'a'), ['a', 'b', 'd', 'c'])
  assert.deepEqual(outward(tree, 'c'), ['c', 'b', 'a'])
  assert.deepEqual(outward(tree, null), [])
})

test('refuses to move a collection into itself or into a descendant', () => {
  assert.equal(nestingFault(tree, 'a', 'a'), 'cycle')
  assert.equal(nestingFault(tree, 'a', 'c'), 'cycle')
  assert.equal(nestingFault(tree, 'c', 'd'), undefined)
  assert.equal(nestingFault(tree, 'b', null), undefined)
})

test('refuses to nest too deeply, counting the descendants of the moved collection', () => {
  assert.equal(nestingFault(chain, null, `c${MAX_COLLECTION_DEPTH - 1}`), 'too-deep')
  assert.equal(nestingFault(chain, null, `c${MAX_COLLECTION_DEPTH - 2}`), undefined)
  const both = [...chain, ...tree]
  assert.equal(nestingFault(both, 'a', `c${MAX_COLLECTION_DEPTH - 4}`), undefined)
  assert.equal(nestingFault(both, 'a', `c${MAX_COLLECTION_DEPTH - 3}`), 'too-deep')
})

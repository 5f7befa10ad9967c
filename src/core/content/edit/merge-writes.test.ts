import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mergeWrites } from './merge-writes.ts'

const BASE = '---\nicon: bolt\n---\n\n# T\n\nOne two.\n\nThree four.\n\nFive six.\n'
const MOVED = '---\nicon: bolt\n---\n\n# T\n\nThree four.\n\nFive six.\n\nOne two.\n'

describe('a block that one writer moved and the other changed', () => {
  const changed = BASE.replace('One', 'ONE')
  const expected = { text: MOVED.replace('One', 'ONE') }

  test('has the change at the new place, whoever is first', () => {
    assert.deepEqual(mergeWrites({ base: BASE, theirs: MOVED, mine: changed }), expected)
    assert.deepEqual(mergeWrites({ base: BASE, theirs: changed, mine: MOVED }), expected)
  })

  test('merges beside other changes', () => {
    const mine = changed.replace('Three', 'THREE')
    assert.deepEqual(mergeWrites({ base: BASE, theirs: MOVED.replace('six', 'SIX'), mine }), {
      text: MOVED.replace('One', 'ONE').replace('Three', 'THREE').replace('six', 'SIX'),
    })
  })

  test('conflicts if it is deleted, or if there are two of it', () => {
    const conflicts = [{ base: 'One two.', theirs: null, mine: 'ONE two.' }]
    const deleted = BASE.replace('One two.\n\n', '')
    assert.deepEqual(mergeWrites({ base: BASE, theirs: deleted, mine: changed }), { conflicts })
    const twice = `${MOVED}\nOne two.\n`
    assert.deepEqual(mergeWrites({ base: BASE, theirs: twice, mine: changed }), { conflicts })
  })
})

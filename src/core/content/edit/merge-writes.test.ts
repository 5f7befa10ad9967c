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

describe('a footnote that one writer changed', () => {
  const base = 'A word[^n] here.\n\nAnother.\n\n[^n]: note\n'
  const changed = base.replace('note', 'a note')
  const without = base.replace('[^n] here', ' here')

  test('conflicts if the other removed its annotation, whoever is first', () => {
    const definition = { base: '[^n]: note', changed: '[^n]: a note' }
    assert.deepEqual(mergeWrites({ base, theirs: without, mine: changed }), {
      conflicts: [{ base: definition.base, theirs: null, mine: definition.changed }],
    })
    assert.deepEqual(mergeWrites({ base, theirs: changed, mine: without }), {
      conflicts: [{ base: definition.base, theirs: definition.changed, mine: null }],
    })
  })

  test('conflicts also if its definition is within a condition', () => {
    const within = (source: string) => source.replace(/\[\^n\]: .*/, '{% if a %}\n\n$&\n\n{% endif %}')
    assert.deepEqual(mergeWrites({ base: within(base), theirs: within(without), mine: within(changed) }), {
      conflicts: [{ base: '[^n]: note', theirs: null, mine: '[^n]: a note' }],
    })
  })

  test('merges if another annotation refers to it, or nobody changed it', () => {
    const twice = base.replace('Another.', 'Another[^n].')
    assert.deepEqual(
      mergeWrites({
        base: twice,
        theirs: twice.replace('[^n] here', ' here'),
        mine: twice.replace('note', 'a note'),
      }),
      { text: twice.replace('[^n] here', ' here').replace('note', 'a note') },
    )
    const mine = base.replace('Another', 'Any other')
    assert.deepEqual(mergeWrites({ base, theirs: without, mine }), {
      text: without.replace('Another', 'Any other'),
    })
  })
})

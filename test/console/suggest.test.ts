import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestionFor } from '../../src/console/app/discussion/suggest.ts'

const TEXTS = [
  '',
  'a',
  'aa',
  'aba',
  'Press the button.',
  'Press the green button.',
  '😀',
  '😁',
  'x😀y',
  'x😁y',
  '😀😀',
]

test('a suggestion replaces a range of whole words that is as small as it can be, and never empty', () => {
  for (const before of TEXTS)
    for (const after of TEXTS) {
      const found = suggestionFor(before, after)
      if (before === after) {
        assert.equal(found, undefined)
        continue
      }
      if (after === '') {
        assert.deepEqual(found, { suggestion: {} })
        continue
      }
      if (before === '') {
        assert.deepEqual(found, { suggestion: { markdown: after } })
        continue
      }
      const { start, end } = found!.range!
      const text = found!.suggestion!.text!
      assert(start < end && end <= before.length, `${before} → ${after}`)
      assert.equal(before.slice(0, start) + text + before.slice(end), after)
      assert(text.isWellFormed() && before.slice(start, end).isWellFormed(), `${before} → ${after}`)
    }
  assert.deepEqual(suggestionFor('Press the button.', 'Press the green button.'), {
    range: { start: 6, end: 16 },
    suggestion: { text: 'the green button' },
  })
  assert.deepEqual(suggestionFor('按下按钮。', '按下绿色按钮。')?.range, { start: 1, end: 2 })
})

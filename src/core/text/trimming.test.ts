import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../../test/property.ts'
import { lastWord, onOneLine, withoutEnd, withoutSlashes } from './trimming.ts'

test('trims as the patterns do that would take quadratic time', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b c', ' ', '\t', '\n', '\r\n', '\r', '\u00a0', '=', '/', '中', '😀'))
    .map((parts) => parts.join(''))
  holds(
    fc.property(text, (one) => {
      assert.equal(withoutEnd(one, '=/'), one.replace(/[=/]+$/, ''))
      assert.equal(withoutSlashes(one), one.replace(/^\/+|\/+$/g, ''))
      assert.equal(onOneLine(one), one.replace(/\s*[\r\n]\s*/g, ' '))
      assert.equal(lastWord(one), /\S+$/.exec(one)?.[0] ?? '')
    }),
    { cases: 3000 },
  )
})

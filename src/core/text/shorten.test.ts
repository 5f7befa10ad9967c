import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shorten } from './shorten.ts'

test('cuts a text at a number of code points, but never inside a character', () => {
  const family = '👨‍👩‍👧'
  const cases: [text: string, limit: number, expected: string][] = [
    ['short', 5, 'short'],
    ['shorter', 5, 'short'],
    ['😀😀😀', 3, '😀😀😀'],
    ['😀😀😀', 2, '😀😀'],
    [`ab${family}`, 6, 'ab'],
    [`ab${family}`, 7, `ab${family}`],
    ['ae\u0301', 2, 'a'],
    [`e${'\u0301'.repeat(9)}`, 3, 'e\u0301\u0301'],
    ['𝔘𝔘𝔘', 1, '𝔘'],
  ]
  for (const [text, limit, expected] of cases)
    assert.equal(shorten(text, limit), expected, `${text} ${limit}`)
})

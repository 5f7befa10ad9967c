import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printable } from './printable.ts'

test('writes what a terminal obeys as JSON writes it, and nothing else', () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const one = String.fromCharCode(code)
    const isObeyed = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb]/u.test(one)
    assert.equal(printable(one) !== one, isObeyed, code.toString(16))
    if (isObeyed) assert.equal(JSON.parse(`"${printable(one)}"`), one)
  }
  assert.equal(printable('Grüße 中文 👩‍🔬 a\u009b31mb'), 'Grüße 中文 👩‍🔬 a\\u009b31mb')
})

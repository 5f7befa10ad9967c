import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOfText } from './text-bytes.ts'

test('the bytes of a text are those of its UTF-8 form, in pieces of bounded length', async () => {
  for (const text of ['', 'a', 'ü', '🐢'.repeat(300_000), `x${'🐢'.repeat(300_000)}`, 'é'.repeat(700_000)]) {
    const pieces = await Array.fromAsync(bytesOfText(text))
    assert.ok(Buffer.concat(pieces).equals(Buffer.from(text)))
    assert.ok(pieces.every(({ length }) => length <= 1_100_000))
  }
})

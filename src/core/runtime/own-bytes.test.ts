import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownBytes } from './own-bytes.ts'

test('bytes of their own keep no other memory', () => {
  for (const text of ['', 'a', 'Überall 🌍', 'x'.repeat(3000)]) {
    const bytes = Buffer.from(text)
    for (const own of [ownBytes(text), ownBytes(bytes)]) {
      assert.deepEqual(own, bytes)
      assert.equal(own.buffer.byteLength, bytes.length)
    }
  }
})

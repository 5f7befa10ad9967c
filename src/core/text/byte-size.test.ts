import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizeLimit } from './byte-size.ts'

test('a limit has the unit in which it was set', () => {
  for (const [bytes, shown] of [
    [512, '512 bytes'],
    [64 * 1024, '64 kB'],
    [1024 * 1024, '1 MB'],
    [1.5 * 1024 * 1024, '1.5 MB'],
    [5 * 1024 ** 3, '5 GB'],
    [100_000, '100 kB'],
    [1_398_104, '1.4 MB'],
  ] as const)
    assert.equal(sizeLimit(bytes), shown)
})

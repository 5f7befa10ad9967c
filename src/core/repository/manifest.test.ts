import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MANIFEST_PATH, printManifest, readManifest } from './manifest.ts'

const NOW = Date.UTC(2026, 0)
const read = (text: string) => readManifest(new Map([[MANIFEST_PATH, Buffer.from(text)]]), NOW)

test('dates are read as they were printed', () => {
  const dates = read(printManifest(new Map([['docs/a.md', [1_000_000_000, 1_100_000_000]]])))
  assert.deepEqual(
    [...dates],
    [['docs/a.md', { createdAt: '2001-09-09T01:46:40.000Z', updatedAt: '2004-11-09T11:33:20.000Z' }]],
  )
})

test('invalid dates and manifests are left out', () => {
  const later = NOW / 1000 + 1
  const pairs = [[later, later], [2e9, 1e9], ['a', 1e9], [1e9], 1e9, null, [1e300, 1e300], [0, 1e9]]
  const dates = Object.fromEntries(pairs.map((pair, i) => [`${i}.md`, pair]))
  for (const text of [
    JSON.stringify({ version: 1, dates }),
    JSON.stringify({ version: 2, dates: { 'a.md': [1e9, 1e9] } }),
    '{"version":1,"dates":[]}',
    'null',
    '{',
    '',
  ])
    assert.equal(read(text).size, 0, text)
  assert.equal(readManifest(new Map(), NOW).size, 0)
})

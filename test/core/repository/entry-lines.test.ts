import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plan } from './plan-fixture.ts'

test('problems with entries of a table of contents name their lines and addresses', async () => {
  const { problems } = await plan({
    'SUMMARY.md':
      '# Contents\r\n\r\n* [One](one.md)\r\n* [Gone](gone%20page.md)\n* [One again](one.md)\n  * [Gone too](gone%20page.md)\n* [And again](one.md)\n',
    'one.md': '# One\n',
  })
  assert.deepEqual(
    problems.map(({ kind, path, line, address }) => [kind, path, line, address]),
    [
      ['missing-page', 'SUMMARY.md', 4, 'gone page.md'],
      ['repeated-page', 'SUMMARY.md', 5, 'one.md'],
      ['missing-page', 'SUMMARY.md', 6, 'gone page.md'],
      ['repeated-page', 'SUMMARY.md', 7, 'one.md'],
    ],
  )
})

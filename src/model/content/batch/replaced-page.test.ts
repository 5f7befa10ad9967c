import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyText, holds } from '../../../../test/property.ts'
import type { PageRecord } from '../../../core/content/revision.ts'
import { packPage, unpackPage } from './replaced-page.ts'

const record = (title: string): PageRecord => ({
  id: 'p',
  type: 'document',
  parent: null,
  order: 'i',
  title,
  slug: 'p',
  createdAt: '',
  updatedAt: '',
})
const state = fc
  .tuple(fc.option(anyText({ maxLength: 8 })), anyText({ maxLength: 200 }))
  .map(([title, source]) => ({ record: title === null ? null : record(title), source }))

test('a page is what it was, whatever it was before', async () => {
  await holds(
    fc.asyncProperty(state, state, async (before, after) => {
      assert.deepEqual(unpackPage(before, await packPage(before, after)), after)
    }),
    { cases: 400 },
  )
})

test('a typed line takes little more than itself, wherever it is in a large page', async () => {
  const lines = Array.from(
    { length: 12_000 },
    (_, i) => `Line ${(i * 7919) % 104_729} of a page with many words.`,
  )
  const before = { record: record('Large'), source: lines.join('\n') }
  for (const at of [0, 6_000, 12_000]) {
    const source = lines.toSpliced(at, 0, 'A line that somebody has just typed.').join('\n')
    const after = { record: record('Large'), source }
    const data = await packPage(before, after)
    assert(data.length < 400, `${data.length} bytes of ${source.length}`)
    assert.deepEqual(unpackPage(before, data), after)
  }
})

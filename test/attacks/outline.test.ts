/** An outline of any number of headings: a spread of them into a call answered 500 on each GET of the page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outlineNav } from '../../src/sites/render/page-nav.ts'
import { wordsOf } from '../../src/sites/render/words/choose.ts'

test('an outline of 300,000 headings is rendered', () => {
  const items = Array.from({ length: 300_000 }, (_, index) => ({
    id: `h${index}`,
    title: 'H',
    level: 2 as const,
  }))
  assert.match(String(outlineNav(items, wordsOf('en'))), /href="#h299999"/)
})

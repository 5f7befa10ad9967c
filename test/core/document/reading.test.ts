import test from 'node:test'

import { holds } from '../../property.ts'
import { CORPORA, corpusPages, withoutCorpora } from '../../corpus.ts'
import { everyPair, readingLaws } from './markdown-fuzz.ts'
import { assertReadable } from './reading-laws.ts'

/** Tests every n-th pair. The step shares no factor with the number of constructs, so each construct takes part. */
const STRIDE = 13

test('every construct parses inside every other one', () => {
  let count = 0
  for (const source of everyPair()) {
    count += 1
    if (count % STRIDE === 0) assertReadable(source)
  }
})

/** Each left characters in the document that the reader had hidden from the parser. */
const ONCE_MASKED = [
  '<table><tbody><tr><td><img src="https://a.org/" alt="中文字*"></td></tr></tbody></table>',
  '<table><thead><tr><th data-type="image">A</th></tr></thead><tbody><tr><td><img src="https://a.org/" alt="中文字*"></td></tr></tbody></table>',
  '[a]({% if a %})',
  '<div **{% endif %}\n\nb',
]

test('no character that the reader hides from the parser stays in the document', () => {
  for (const source of ONCE_MASKED) assertReadable(source)
})

const pages = withoutCorpora ? [] : CORPORA.flatMap((corpus) => [...corpusPages(corpus).values()])

for (const [name, law] of Object.entries(readingLaws(pages)))
  test(`the law ${name} holds`, () => {
    holds(law, { cases: 20_000 })
  })

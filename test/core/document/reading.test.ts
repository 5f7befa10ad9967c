import test from 'node:test'

import { stepOf } from '../../effort.ts'
import { holds } from '../../property.ts'
import { samplePages } from '../sample-pages.ts'
import { everyPair, readingLaws } from './markdown-fuzz.ts'
import { assertReadable } from './reading-laws.ts'

/** Which pairs this run tries. The step shares no factor with the number of constructs, so each construct takes part. */
const STRIDE = stepOf(41, 7)

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
  'a <mark style="color:**{% include "x.md" %}**red">b</mark>',
  'a <i class="fa-{%a%}">b</i>',
]

/** Each once stopped the reader. */
const ONCE_UNREADABLE = [
  '<a href="http://a.org">http://a.org</a>',
  '<a href="b.md">[a](b.md)</a>',
  '<a href="b.md"><https://a.org></a>',
  '[<a href="b.md">a</a>](c.md)',
]

test('a link in a link is read', () => {
  for (const source of ONCE_UNREADABLE) assertReadable(source)
})

test('no character that the reader hides from the parser stays in the document', () => {
  for (const source of ONCE_MASKED) assertReadable(source)
})

for (const [name, law] of Object.entries(readingLaws(samplePages())))
  test(`the law ${name} holds`, () => {
    holds(law, { cases: 20_000 })
  })

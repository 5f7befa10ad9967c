import assert from 'node:assert/strict'
import { test } from 'node:test'
import { franc } from 'franc'
import { data } from 'franc/data.js'
import { corpusPages } from '../../../test/corpus.ts'
import { JUDGED } from '../../../test/search/relevance.ts'
import { nearestLanguageIn } from './nearest-language.ts'

const ONLY = 'arb bul cmn deu ell eng fra heb hin jpn kor nno nob por rus spa tha ukr zlm'.split(' ')
const nearest = nearestLanguageIn(ONLY)
const expected = (text: string) => {
  const found = franc(text, { only: ONLY, minLength: 1 })
  return found === 'und' ? undefined : found
}

function assertSame(texts: Iterable<string>): void {
  let count = 0
  for (const text of texts) {
    count += 1
    assert.equal(nearest(text), expected(text), JSON.stringify(text))
  }
  assert.ok(count > 20, `${count} texts`)
}

test('finds what franc finds in the pages of the corpora', () => {
  const pages = JUDGED.flatMap((corpus) => [...corpusPages(corpus).values()])
  assertSame(pages.flatMap((page, i) => (i % 3 === 0 ? [page.slice(0, 1000), page.slice(500, 560)] : [])))
})

test('finds what franc finds in the groups of each language, alone and mixed with others', () => {
  const models = Object.values(data).flatMap((script) => Object.values(script))
  const words = models.map((model) => model.split('|').slice(0, 60).join(''))
  assertSame(words)
  assertSame(words.map((word, i) => word.slice(0, 40) + words[(i + 7) % words.length]?.slice(0, 45)))
})

test('finds what franc finds in short texts, in scripts with one language and in none', () => {
  const texts =
    'a|A1|é|123|--|… —|日本語です|漢字|漢字かな|한국어|שלום עולם|Ελληνικά|ไทย|ქართული|🙂|привіт світ|a漢'
  assertSame([
    ...texts.split('|'),
    'ab',
    'a b c',
    '\u0000\u0001',
    ' '.repeat(9),
    `x${'　'.repeat(5)}y`,
    'ABC def',
    'İI',
  ])
})

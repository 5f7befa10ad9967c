/** Indexing and matching a page cost in proportion to its length, and reading a query is bounded by its own. */
import { test } from 'node:test'
import { indexPages } from '../../../src/core/search/index-pages.ts'
import { matchPage } from '../../../src/core/search/matches.ts'
import { hasPhrases } from '../../../src/core/search/phrases.ts'
import { needlesOf } from '../../../src/core/search/needles.ts'
import { parseQuery } from '../../../src/core/search/query.ts'
import { searchedSections } from '../../../src/core/search/searched-text.ts'
import { snippetOf } from '../../../src/core/search/snippet.ts'
import { assertCheap } from './cheap.ts'
import { assertBounded, assertLinear, type Families, familiesOf, nested, repeated } from './growth.ts'

const PIECES = [
  'a',
  'a ',
  'A',
  'aB',
  'a_',
  'a-',
  'a.',
  '1.',
  '_',
  '-',
  "'",
  '’',
  '"',
  'é',
  'e\u0301',
  '\u0301',
  '中',
  '中 ',
  'ガ',
  'ー',
  'ガー・',
  'ー\u00ad',
  'サバ・ー',
  'ｻｰ',
  'ﾞ',
  '문',
  '\u1100\u1161',
  'न्',
  'ß',
  'مُ',
  'ﷺ',
  'ก',
  '\ud83d',
  '😀',
  '\u200b',
  ' ',
  '\n',
  '# a\n',
  '- a\n',
]

const TEXTS: Families = Object.fromEntries(
  PIECES.flatMap((piece) => [
    [`${JSON.stringify(piece)} repeated`, repeated(piece)],
    [`${JSON.stringify(piece)} before a letter`, repeated(piece, '', 'x')],
    [`lines of ${JSON.stringify(piece)}`, repeated(`${piece}x\n`)],
  ]),
)

const PAGES: Families = {
  ...TEXTS,
  'sections of one word': repeated('## a\n\nb\n\n'),
  'sections under conditions': repeated('{% if a.b %}\n\n## a\n\nb\n\n{% endif %}\n\n'),
  'nested conditions': nested('{% if a.b %}\n', '\n{% endif %}\n'),
  'nested hints': nested('{% hint style="info" %}\n', '\n{% endhint %}\n'),
  'nested details': nested('<details>\n\n<summary>a</summary>\n\n', '\n\n</details>\n\n'),
  'cells with conditions': repeated('| {% if a.b %}c{% endif %} | d |\n', '| a | b |\n|-|-|\n'),
}

/** The parser's time grows with the square of a paragraph of some signs, up to a cost (`markdown/parse-cost.ts`). */
const MOST_MS = 4_000

for (const [name, make] of familiesOf(PAGES, 36))
  test(`indexes ${name} in linear or bounded time`, () =>
    assertBounded(make, (source) => indexPages([{ title: 'a', source }]), MOST_MS))

const QUERIES = ['a', 'a a1 b', 'a"a a" "a" -"a a"', 'aaaa', '中 中中中 ガ', '_ - .', 'é x'].map((text) =>
  parseQuery(text),
)

for (const [name, make] of familiesOf(TEXTS, 36))
  test(`matches ${name} in linear time`, () =>
    assertLinear(make, (text) => {
      for (const query of QUERIES) {
        const needles = needlesOf(query, Array(32).fill(1), new Map())
        const page = { title: text.slice(0, 200), ...searchedSections([{ title: 'a', text }]) }
        for (const match of matchPage(page, needles).sections) snippetOf(match, needles)
        hasPhrases(page, query.phrases)
      }
    }))

test('reads any query in no time', () => {
  for (const [, make] of familiesOf(TEXTS, 1)) assertCheap(512, () => parseQuery(make(512).slice(0, 512)))
})

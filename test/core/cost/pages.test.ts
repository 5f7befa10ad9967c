/** Reading, printing and rendering a page cost in proportion to its length, whatever it holds, or are bounded. */
import { test } from 'node:test'
import { CONSTRUCTS } from './constructs.ts'
import { assertBounded, assertLinear, familiesOf, repeated } from './growth.ts'
import { handlePage } from './pages.ts'

/**
 * The parser's time grows with the square of a paragraph of some signs, up to the cost beyond which a page is shown as
 * its source (`markdown/parse-cost.ts`).
 */
const MOST_MS = 4_000

/** Runs that took minutes once. Every run tries these. */
const FOUND = [
  'a run of spaces before a line break',
  'a run of letters before a footnote',
  'a run of spaces in a title of a link',
  'a run of signs of headings in a heading',
  'tags that look like conditions without an end',
  'conditions without an end without an end',
]

for (const name of FOUND) {
  test(`handles ${name} in linear time`, () => assertLinear(CONSTRUCTS[name]!, handlePage))
}

/** HTML that other blocks interrupt. */
const WRAPPERS = [
  'centered blocks one after the other',
  'cells with blank lines one after the other',
  'paragraphs that end in their wrapper one after the other',
  'centered blocks without an end',
  'centered blocks without a beginning',
  'blocks in one wrapper',
  'wrappers that end in others',
]

/** Ends of conditions whose beginnings are looked for in the whole page. */
const ENDS = [
  'ends of conditions that begin in values',
  'values and ends in other brackets',
  'ends of many helpers',
  'openings of many helpers',
  'ends of many helpers without a beginning',
  'doubtful ends in other brackets',
  'doubtful ends in other brackets at last',
  'code and ends in other brackets',
  'named tags beside ends in code',
  'parts of sections in others in paragraphs',
  'openings without a variable in paragraphs',
]

for (const name of ENDS) {
  test(`handles ${name} in linear time`, () => assertLinear(CONSTRUCTS[name]!, handlePage))
}

test('handles closing brackets in a web address in bounded time', () => {
  for (const address of ['https://a.org/', 'www.a.org/'])
    assertBounded(repeated(')', address, 'x'), handlePage, MOST_MS)
})

for (const name of WRAPPERS) {
  test(`handles ${name} in linear or bounded time`, () =>
    assertBounded(CONSTRUCTS[name]!, handlePage, MOST_MS))
}

for (const [name, make] of familiesOf(CONSTRUCTS, 120)) {
  test(`handles ${name} in linear or bounded time`, () => assertBounded(make, handlePage, MOST_MS))
}

/** Reading, printing and rendering a page cost in proportion to its length, whatever it holds, or are bounded. */
import { test } from 'node:test'
import { CONSTRUCTS } from './constructs.ts'
import { assertBounded, familiesOf } from './growth.ts'
import { handlePage } from './pages.ts'

/**
 * The parser's time grows with the square of a paragraph of some signs, up to the cost beyond which a page is shown as
 * its source (`markdown/mask.ts`).
 */
const MOST_MS = 4_000

for (const [name, make] of familiesOf(CONSTRUCTS, 40)) {
  test(`handles ${name} in linear or bounded time`, () => assertBounded(make, handlePage, MOST_MS))
}

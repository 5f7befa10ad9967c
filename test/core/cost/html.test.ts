/** Sanitizing HTML costs in proportion to its length, or the HTML is shown as its source. */
import { test } from 'node:test'
import { sanitizeHtml } from '../../../src/core/document/sanitize.ts'
import { assertBounded, familiesOf } from './growth.ts'
import { HTML } from './html.ts'

/** The time to parse 5,000 tags in one another grows with their square. More tags are shown as source. */
const MOST_MS = 1_500

for (const [name, make] of familiesOf(HTML, 60)) {
  test(`sanitizes ${name} in linear or bounded time`, () => assertBounded(make, sanitizeHtml, MOST_MS))
}

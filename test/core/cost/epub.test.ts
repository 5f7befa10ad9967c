/** Making the file of a page of a book, and a drawing in it, cost in proportion to their length, or are bounded. */
import { test } from 'node:test'
import { cleanSvg } from '../../../src/core/epub/svg.ts'
import { epubPage } from '../../../src/sites/render/epub-page.ts'
import { bodyOf } from '../epub/books.ts'
import { CONSTRUCTS } from './constructs.ts'
import { assertBounded, assertLinear, familiesOf, type Families, nested, repeated } from './growth.ts'

/** What reading a page may cost (`pages.test.ts`), twice: its references are read too. */
const MOST_MS = 8_000

function makePage(source: string): void {
  const page = { id: 'a', title: 'A', level: 1, hasBody: true }
  epubPage({ page, body: bodyOf(source), language: 'en', direction: 'ltr', places: new Map() })
}

for (const [name, make] of familiesOf(CONSTRUCTS, 120)) {
  test(`makes a page of ${name} in linear or bounded time`, () => assertBounded(make, makePage, MOST_MS))
}

const svg = (make: (size: number) => string) => (size: number) => `<svg>${make(size)}</svg>`
const DRAWINGS: Families = {
  paths: svg(repeated('<path d="M0 0"/>')),
  groups: svg(nested('<g>', '</g>')),
  scripts: svg(repeated('<script>a</script>')),
  'unclosed scripts': svg(repeated('<script>')),
  'beginnings of comments': svg(repeated('<!--')),
  'beginnings of CDATA': svg(repeated('<![CDATA[')),
  'beginnings of instructions': svg(repeated('<?')),
  'beginnings of doctypes': svg(repeated('<!DOCTYPE ')),
  'beginnings of tags': svg(repeated('<a b="')),
  attributes: (size) => `<svg ${repeated(`a="b" `)(size)}/>`,
  'distinct attributes': (size) =>
    `<svg ${Array.from({ length: size / 12 }, (_, at) => `a${at}="b"`).join(' ')}/>`,
  'white space': (size) => `<svg${repeated(' \n')(size)}`,
  entities: svg(repeated('&amp;')),
  ampersands: svg(repeated('&')),
  addresses: (size) => `<svg style="${repeated('url(')(size)}"/>`,
  'imports of styles': (size) => `<svg><style>${repeated('@import ')(size)}</style></svg>`,
  'spaces in addresses': (size) => `<svg style="url${' '.repeat(size)}"/>`,
  'spaces before places': (size) => `<svg style="url(${' '.repeat(size)}#a)"/>`,
  backslashes: (size) => `<svg style="${repeated('\\')(size)}"/>`,
}
for (const [name, make] of Object.entries(DRAWINGS)) {
  test(`cleans a drawing of ${name} in linear time`, () => assertLinear(make, cleanSvg))
}

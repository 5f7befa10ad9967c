/** Pages with the tags of conditions in places of every kind: nobody sees what is between the tags, and no tag is silent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePage } from '../../../src/core/document/parse.ts'
import { printPage } from '../../../src/core/document/print.ts'
import { hiddenParts } from '../../../src/core/document/shown/unshown.ts'
import {
  CODE_PLACES,
  CONTAINERS,
  DATA_PLACES,
  FORMULA_PLACES,
  OPEN_PLACES,
  TEXT_CODE_PLACES,
  TEXT_PLACES,
  TITLED_PLACES,
  VALUE_PLACES,
  WHOLE_PLACES,
  type Place,
} from '../condition-places.ts'
import { holds } from '../../property.ts'
import { shownPage } from '../shown-page.ts'
import { END, IF, shownTo } from './hides.ts'

/** Where a tag of a condition is: where it is one, in a formula, in an element for code, or in code. */
type Kind = 'live' | 'formula' | 'element' | 'code'

/** What a line consists of: the tags, a text, and a word that everybody may see. */
const PARTS = ['IF', 'END', 'TEXT', 'w'] as const
type Part = (typeof PARTS)[number]

interface Piece {
  place: string
  line: readonly Part[]
}

const MORE_PLACES: Record<string, Place> = {
  'a block': (line) => line,
  'an include': () => '{% include "rules.md" %}',
  'the address of a definition': (line) => `[r]: https://example.com/${line.replaceAll(' ', '')}`,
  'the title of a definition': (line) => `[r][q]\n\n[q]: https://example.com/ "${line}"`,
  'a tag without a name': (line) => `{% foo a='${line}' %}`,
  'an attribute of an unknown element': (line) => `<Foo a='${line}'>x</Foo>`,
  'a formula in a cell of HTML': (line) => `<table><tr><td>$$a ${line}$$</td></tr></table>`,
  'a formula in an unknown element': (line) => `<section>x $$a ${line} b$$ y</section>`,
  'a formula in a summary': (line) => `<details>\n<summary>a $$${line}$$</summary>\nx\n</details>`,
  ...Object.fromEntries(
    ['select', 'number', 'checkbox', 'image', 'rating'].map((type) => [
      `a cell of type ${type}`,
      (line) =>
        `<table><thead><tr><th>n</th><th data-type="${type}">x</th></tr></thead><tbody><tr><td>a</td><td>${line}</td></tr></tbody></table>`,
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(CONTAINERS).map(([name, container]) => [name, (line) => container(line, 'x', 'y')]),
  ),
}

const KINDS: Record<Kind, Record<string, Place>> = {
  live: {
    ...OPEN_PLACES,
    ...TITLED_PLACES,
    ...WHOLE_PLACES,
    ...DATA_PLACES,
    ...VALUE_PLACES,
    ...TEXT_PLACES,
    ...MORE_PLACES,
  },
  formula: FORMULA_PLACES,
  element: CODE_PLACES,
  code: TEXT_CODE_PLACES,
}
const PLACES = new Map(
  Object.entries(KINDS).flatMap(([kind, places]) =>
    Object.entries(places).map(([name, place]) => [name, { kind: kind as Kind, place }] as const),
  ),
)

/** A tag or a text of a page. */
interface Token {
  part: Part
  kind: Kind
  piece: number
}

/**
 * Which of the tokens are texts that a condition hides. A closing tag ends the last condition that is open: one of the page
 * before one in a formula, which is text if nothing outside of the formula and of code ends it.
 */
function secretsAmong(tokens: readonly Token[]): Set<Token> {
  const secrets = new Set<Token>()
  const [open, inFormulas]: [number[], number[]] = [[], []]
  const hide = (from: number, to: number, apart?: number) => {
    for (const token of tokens.slice(from, to))
      if (token.part === 'TEXT' && token.piece !== apart) secrets.add(token)
  }
  for (const [at, { part, kind, piece }] of tokens.entries()) {
    if (part === 'IF' && kind !== 'code') (kind === 'formula' ? inFormulas : open).push(at)
    if (part !== 'END') continue
    const own = kind === 'formula' ? inFormulas.findLastIndex((one) => tokens[one]!.piece === piece) : -1
    if (own !== -1) inFormulas.splice(own, 1)
    else if (open.length > 0) hide(open.pop()!, at)
    else if (kind === 'live' || kind === 'formula') {
      const from = inFormulas.pop()
      if (from !== undefined) hide(from, at, tokens[from]!.piece)
    }
  }
  for (const at of open) hide(at, tokens.length)
  return secrets
}

/** The page with its tags and texts, each of which is named by whether a condition hides it. */
function pageOf(pieces: readonly Piece[], end: string): { source: string; hasFormula: boolean } {
  const mark = (part: Part, at: number) => (part === 'w' ? part : `\u{e000}${at}\u{e001}`)
  const tokens: Token[] = []
  const marked = pieces.map(({ place, line }, piece) => {
    const { kind, place: write } = PLACES.get(place)!
    const marks = line.map((part) => mark(part, tokens.push({ part, kind, piece }) - 1))
    return write(marks.join(' '))
  })
  // Some places have no line.
  const written = marked.join('\n\n')
  const inOrder = [...written.matchAll(/\u{e000}(\d+)\u{e001}/gu)].map(([, at]) => tokens[Number(at)]!)
  const secrets = secretsAmong(inOrder)
  const source = written.replaceAll(/\u{e000}(\d+)\u{e001}/gu, (_, at: string) => {
    const token = tokens[Number(at)]!
    if (token.part === 'IF') return IF
    if (token.part === 'END') return end
    return secrets.has(token) ? 'SECRET' : 'OPEN'
  })
  const hasFormula = inOrder.some(({ part, kind }) => part === 'IF' && kind === 'formula')
  return { source: `${source}\n`, hasFormula }
}

function check(pieces: readonly Piece[], end: string): void {
  const { source, hasFormula } = pageOf(pieces, end)
  const page = parsePage(source)
  for (const version of [source, printPage(page)])
    assert.doesNotMatch(shownTo(version, false), /secret/i, version)
  const reports = hiddenParts(page, source).map(({ reason }) => reason)
  // A page has at most 20 reports.
  if (hasFormula && reports.length < 20) assert.ok(reports.includes('condition-in-formula'), source)
}

const piece = fc.record({
  place: fc.constantFrom(...PLACES.keys(), ...Object.keys(FORMULA_PLACES), 'a block', 'a block'),
  line: fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 4 }),
})
const page = fc.array(piece, { minLength: 2, maxLength: 5 })

const block = (...line: Part[]): Piece => ({ place: 'a block', line })
const inPlace = (place: string, ...line: Part[]): Piece => ({ place, line })

/** Pages that showed what they should hide, or hid it without a report. */
const FOUND: [Piece[], string][] = [
  [
    [
      inPlace('a value of a tag in a formula of HTML', 'IF'),
      block('TEXT'),
      inPlace('the address of an embed', 'END'),
    ],
    END,
  ],
  [
    [
      inPlace('a value of a tag in a formula', 'IF'),
      block('TEXT'),
      inPlace('a formula in a quote', 'w', 'END'),
    ],
    END,
  ],
  [[inPlace('a formula in a line', 'IF'), block('TEXT'), inPlace('a formula in a quote', 'END')], END],
  [
    [
      inPlace('a formula that is a paragraph', 'IF'),
      block('TEXT'),
      inPlace('a property of an integration', 'END'),
    ],
    END,
  ],
  [[inPlace('a formula in a block of code', 'IF'), block('TEXT', 'END')], '{% ENDIF %}'],
  [[inPlace('a formula in a block of code', 'END', 'IF'), block('TEXT')], END],
  [[inPlace('a formula in the code of GitHub', 'IF'), block('TEXT'), block('END')], END],
  [[block('END'), inPlace('a formula that is a paragraph', 'IF'), inPlace('columns', 'TEXT', 'END')], END],
  [
    [block('END'), inPlace('an include'), inPlace('a formula of a block', 'IF'), block('TEXT', 'END')],
    '{%- endif -%}',
  ],
  [[inPlace('a value of a tag in a formula of a block', 'TEXT', 'IF'), block('w')], END],
  [[inPlace('a value of a tag in a formula of a block', 'IF', 'END'), block('w')], END],
]

for (const [index, [pieces, end]] of FOUND.entries())
  test(`a page that was found: ${index + 1}`, () => check(pieces, end))

test('shows nothing between the tags of a condition, and reports those in formulas, wherever the tags are', () => {
  holds(
    fc.property(page, fc.constantFrom(END, END, '{%- endif -%}', '{% ENDIF %}'), (pieces, end) => {
      check(pieces, end)
    }),
    { cases: 5000, byDefault: 200 },
  )
})

test('an end in a place behind an include that may have begun the condition ends it there', () => {
  for (const place of Object.keys({ ...VALUE_PLACES, ...FORMULA_PLACES })) {
    const { source } = pageOf(
      [inPlace('an include'), block('TEXT'), inPlace(place, 'END'), block('TEXT')],
      END,
    )
    const hidden = source.replace('OPEN', 'SECRET')
    for (const met of [false, true])
      assert.doesNotMatch(
        shownPage(hidden, (expression) => met && !expression.startsWith('false')),
        /SECRET/,
        hidden,
      )
    assert.match(shownTo(hidden, false), /OPEN/)
  }
})

test('a page whose front matter begins conditions, and which ends one above its blocks, is the same when it is printed', () => {
  for (const field of ['title', 'description']) {
    const source = `---\n${field}: 'x ${IF} ${IF}'\n---\n\n${END}\n\nSECRET\n\n> ${END} SECRET\n`
    for (const version of [source, printPage(parsePage(source))])
      assert.doesNotMatch(shownTo(version, false), /secret/i, version)
  }
})

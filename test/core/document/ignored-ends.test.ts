/** Ends of conditions in places where no condition can end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePage } from '../../../src/core/document/parse.ts'
import { hiddenParts } from '../../../src/core/document/shown/unshown.ts'
import { holds } from '../../property.ts'
import { hides } from './hides.ts'

const IF = '{% if visitor.claims.none %}'
const END = '{% endif %}'

const withCell = (type: string, cell: string) =>
  `<table><thead><tr><th>Name</th><th data-type="${type}">X</th></tr></thead><tbody><tr><td>a</td><td>${cell}</td></tr></tbody></table>`
const TYPES = ['image', 'content-ref', 'select', 'number', 'checkbox', 'files', 'users', 'rating']

const PLACES: Record<string, string> = {
  'address of HTML': `<a href="${END}">x</a>`,
  'address of a link': `[x](${END})`,
  'address of a picture': `![x](${END})`,
  'alternative text': `![${END}](a.png)`,
  'definition of a link': `[r]: ${END}`,
  comment: `<!-- ${END} -->`,
  'value of a tag': `{% embed url='https://example.com/${END}' %}`,
  'value of a tag in a line': `x {% file src='${END}' %}`,
  formula: `$$a ${END}$$`,
  ...Object.fromEntries(TYPES.map((type) => [`cell of type ${type}`, withCell(type, END)])),
  ...Object.fromEntries(
    TYPES.flatMap((type) => [
      [`formula in a cell of type ${type}`, withCell(type, `$$${END}$$`)],
      [`value of a tag in a cell of type ${type}`, withCell(type, `{% file src='${END}' %}`)],
      [`link in a cell of type ${type}`, withCell(type, `<a href="u">x ${END}</a> 5 ${END}`)],
    ]),
  ),
}

const reported = (source: string) =>
  hiddenParts(parsePage(source), source).map(({ line, reason }) => `${line} ${reason}`)

test('an end where no condition can end hides what follows, and its report says so', () => {
  for (const [place, text] of Object.entries(PLACES)) {
    const unclosed = `FRONT\n\n${IF}\n\nSECRET\n\n${text}\n\nSECRET\n`
    hides(unclosed, ['FRONT'])
    const ends = text.split(END).length - 1
    const each = (report: string) => Array.from({ length: ends }, () => report)
    assert.deepEqual(reported(unclosed), ['3 condition-unclosed', ...each('7 condition-end-ignored')], place)

    const closed = `FRONT\n\n${IF}\n\nSECRET\n\n${text}\n\nSECRET\n\n${END}\n\nAFTER\n`
    hides(closed, ['FRONT', 'AFTER'])
    assert.deepEqual(reported(closed), each('7 condition-end-ignored'), place)

    for (const open of [`OPEN\n\n\n\n${text}\n`, `{% if %}\n\nOPEN\n\n${text}\n`])
      assert.deepEqual(reported(open), each('5 condition-unopened'), place)
  }
})

const COLUMNS = ['text', ...TYPES] as const
const PARTS = ['IF', 'END', 'LINK', 'w'] as const
const cell = fc.array(fc.constantFrom(...PARTS), { maxLength: 3 })
const table = fc.record({
  types: fc.tuple(fc.constantFrom(...COLUMNS), fc.constantFrom(...COLUMNS)),
  before: fc.array(cell, { maxLength: 2 }),
  rows: fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 2 }),
  after: fc.array(cell, { maxLength: 2 }),
})

/** A tag, and whether it is in a cell that is not text, where it ends only what begins in such a cell. */
interface PlacedPart {
  part: 'IF' | 'END'
  line: number
  isTyped: boolean
}

/** What is reported of tags, in the order of the source. */
function expectedReports(tags: readonly PlacedPart[]): string[] {
  const open: number[] = []
  const ended = new Map<number, number>()
  for (const [at, { part, isTyped }] of tags.entries()) {
    if (part === 'IF') open.push(at)
    else if (open.length > 0 && (!isTyped || tags[open.at(-1)!]!.isTyped)) ended.set(open.pop()!, at)
  }
  const ends = new Set(ended.values())
  return tags.flatMap(({ part, line }, at) => {
    if (part === 'IF') return ended.has(at) ? [] : `${line} condition-unclosed`
    if (ends.has(at)) return []
    const isWithin = tags.some(
      (one, from) => one.part === 'IF' && from < at && (ended.get(from) ?? Infinity) > at,
    )
    return `${line} condition-${isWithin ? 'end-ignored' : 'unopened'}`
  })
}

test('reports the tags of tables with typed columns as what they do, wherever conditions begin and end', () => {
  holds(
    fc.property(table, ({ types, before, rows, after }) => {
      const lines: string[] = []
      const tags: PlacedPart[] = []
      const written = (parts: readonly (typeof PARTS)[number][], isTyped: boolean) =>
        parts
          .map((part) => {
            if (part === 'LINK') return '<a href="https://example.com/">y</a>'
            if (part === 'w') return part
            tags.push({ part, line: lines.length + 1, isTyped })
            return part === 'IF' ? IF : END
          })
          .join(' ')
      const paragraphs = (all: readonly (typeof PARTS)[number][][]) => {
        for (const parts of all) lines.push(`w ${written(parts, false)}`, '')
      }
      paragraphs(before)
      lines.push(
        `<table><thead><tr>${types.map((type) => `<th${type === 'text' ? '' : ` data-type="${type}"`}>h</th>`).join('')}</tr></thead><tbody>`,
      )
      for (const row of rows) {
        lines.push('<tr>')
        for (const [at, parts] of row.entries())
          lines.push(`<td>${written(parts, types[at] !== 'text')}</td>`)
        lines.push('</tr>')
      }
      lines.push('</tbody></table>', '')
      paragraphs(after)
      const source = lines.join('\n')
      const found = reported(source).filter((report) => !report.endsWith('-in-label'))
      const expected = expectedReports(tags)
      if (expected.length < 20) assert.deepEqual(found.toSorted(), expected.toSorted(), source)
    }),
    { cases: 4000, byDefault: 100 },
  )
})

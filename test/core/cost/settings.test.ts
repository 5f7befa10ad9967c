/** Changing the lines of settings and comparing the addresses of a website cost in proportion to their length. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  FRONT_MATTER_LIMITS,
  frontMatterFields,
  readFrontMatter,
} from '../../../src/core/document/front-matter/front-matter.ts'
import type { Entry, PageReading, PlannedPage } from '../../../src/core/repository/model.ts'
import { patchSummary, type ReadSummary } from '../../../src/core/repository/print/patch-summary.ts'
import { patchYaml } from '../../../src/core/repository/print/patch-yaml.ts'
import { pathsOfOldSite } from '../../../src/core/sources/website/old-addresses.ts'
import { parseSummary } from '../../../src/core/repository/contents/summary.ts'
import { leastCost } from '../../cpu.ts'
import { assertLinear, familiesOf, type Families, nested, repeated } from './growth.ts'

/** As many lines as the size needs. Each contains its number, so no two are equal. */
const numbered =
  (line: (nth: number) => string, before = '') =>
  (size: number) =>
    before + Array.from({ length: Math.ceil(size / line(size).length) }, (_, nth) => line(nth)).join('')

const SUMMARIES: Families = {
  'equal entries': repeated('* [a](a.md)\n'),
  'different entries': numbered((nth) => `* [page ${nth}](${nth}.md)\n`),
  'entries in groups': numbered((nth) => `## Group ${nth}\n\n* [page ${nth}](${nth}.md)\n\n`),
  'nested entries': numbered((nth) => `${' '.repeat(nth % 30)}* [page](${nth}.md)\n`),
  'entries below links': numbered((nth) => `${' '.repeat(nth % 30)}* [page ${nth}](https://example.com/)\n`),
  'comments between entries': repeated('* [a](a.md)\n\n<!-- * b\n\n -->\n'),
  rules: repeated('***\n\n* a\n\n'),
  'long lines': nested('* [', ']\n'),
  'conditions without an end': repeated('{% if visitor.claims.a %}\n* [a](a.md)\n'),
  'conditions in titles': repeated('* [{% if visitor.claims.a %}](a.md)\n'),
  'ends of nothing': repeated('{% endif %}\n* [a](a.md)\n'),
  'nested conditions': nested('{% if visitor.claims.a %}\n', '* [a](a.md)\n{% endif %}\n'),
  'signs of tags': repeated('* {% if `x\n{%\n'),
}

function readSummary(text: string): ReadSummary {
  const summary = parseSummary(text)
  const lines: Map<PlannedPage<PageReading>, { start: number; end: number }> = new Map()
  const planned = (entry: Entry): PlannedPage<PageReading>[] => {
    const page = plannedPage(entry)
    const own = summary.lines.get(entry)
    if (own) lines.set(page, own)
    const below = entry.kind === 'computed' ? [] : entry.children.flatMap(planned)
    if ('children' in page) page.children = below
    return 'children' in page ? [page] : [page, ...below]
  }
  return { text, plan: { pages: summary.entries.flatMap(planned), lines } }
}

function plannedPage(entry: Entry): PlannedPage<PageReading> {
  const { kind, title } = entry
  if (kind === 'computed') return entry
  if (kind === 'link') return { kind, title, target: { url: entry.url } }
  const place = { title, slug: 'page', path: 'page', children: [] }
  if (kind === 'group') return { kind, ...place }
  return { kind: 'document', ...place, file: entry.path ?? '', source: '', reading: { references: [] } }
}

/** Changes to a table of contents. */
const EDITS: Record<string, (text: string) => string> = {
  'a new entry': (text) => `* [new](new.md)\n${text}`,
  'every other line removed': (text) =>
    text
      .split('\n')
      .filter((_, nth) => nth % 2 === 0)
      .join('\n'),
  'all lines in another order': (text) => text.split('\n').toReversed().join('\n'),
  'all lines deeper': (text) => `* [top](top.md)\n${text.replace(/^(?=.*\*)/gm, ' ')}`,
}

for (const [name, make] of familiesOf(SUMMARIES, 2))
  test(`a table of contents is changed in linear time: ${name}`, () => {
    for (const edit of Object.values(EDITS))
      assertLinear(make, (text) => patchSummary(readSummary(text), readSummary(edit(text))))
  })

const MAPS: Families = {
  pairs: numbered((nth) => `key${nth}: value\n`),
  'pairs with comments': numbered((nth) => `# about\nkey${nth}:   "value"  # why\n`),
  'pairs below a key': numbered((nth) => `  key${nth}: value\n`, 'redirects:\n'),
  'one long line': (size) => `key: ${'x'.repeat(size)}\nother: 1\n`,
}

for (const [name, make] of familiesOf(MAPS, 2))
  test(`a map of YAML is changed in linear time: ${name}`, () => {
    for (const wanted of [{}, { key1: 'other', added: 1 }, { redirects: { key1: 'other', key3: 'value' } }])
      assertLinear(make, (text) => patchYaml(text, wanted))
  })

const ADDRESSES: Families = {
  'addresses in one folder': numbered((nth) => `https://a.example/docs/page-${nth}\n`),
  'addresses deep in the same folders': numbered((nth) => `https://a.example/${'a/'.repeat(40)}${nth}\n`),
  'equal addresses': repeated('https://a.example/a\n'),
  'one long address': (size) => `https://a.example/${'a/'.repeat(size / 2)}\n`,
}

for (const [name, make] of familiesOf(ADDRESSES, 2))
  test(`old addresses are compared in linear time: ${name}`, () => {
    assertLinear(make, (text) => pathsOfOldSite(text.split('\n'), (path) => path.endsWith('1')))
  })

test('the lines of the fields of front matter cost little beside reading it', async () => {
  const fields = numbered((nth) => `a${nth}:\n`)(FRONT_MATTER_LIMITS.length - 100)
  const source = `---\n${fields}b: "{"\n---\n`
  assert.equal(frontMatterFields(source).at(-1)?.line, fields.split('\n').length + 1)
  const reading = await leastCost(0, () => readFrontMatter(source))
  const most = 4 * reading
  // Looking for each field in all lines costs nine times as much.
  const cost = await leastCost(most, () => frontMatterFields(source))
  assert.ok(cost < most, `${cost.toFixed(1)} ms, and ${reading.toFixed(1)} ms to read it`)
})

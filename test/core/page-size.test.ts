/** The limit of a page holds for its whole stored source, whatever writes it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { addPage, branch, emptyContent, snapshotOf, type Content } from './histories.ts'
import { merge } from './merge-laws.ts'
import { planImport } from '../../src/core/repository/plan.ts'
import { applyBatch } from '../../src/core/content/batch/apply.ts'
import { readBatch, type SentChange } from '../../src/core/content/batch/read.ts'
import { BatchRefused } from '../../src/core/content/batch/refused.ts'
import { makeConflict } from '../../src/core/content/merge/conflict.ts'
import { resolveConflict } from '../../src/core/content/merge/resolve.ts'
import { countParts, PAGE_LIMITS } from '../../src/core/document/shape/limits.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import { pageProblem } from '../../src/core/content/limits.ts'

const SIZE = PAGE_LIMITS.bytes
const HEAD = '---\ndescription: Short\n---\n\n# Full\n\n'
const TEXT = 'word '.repeat(20_000).trimEnd()

/** A source of exactly so many bytes, in paragraphs that are not too long to compare. */
function sourceOf(bytes: number): string {
  const paragraphs = Array.from({ length: Math.floor(bytes / TEXT.length) - 1 }, () => TEXT)
  const source = HEAD + paragraphs.join('\n\n')
  return `${source}\n\n${'é'.repeat(100)}${'a'.repeat(bytes - source.length - 203)}\n`
}

const FULL = sourceOf(SIZE)

function full(): Content {
  const content = emptyContent()
  addPage(content, 'full', null, 'i', FULL)
  return content
}

function send(...changes: SentChange[]) {
  const content = full()
  const { pages: tree, files, reusables } = snapshotOf(content)
  const source = (hash: string | undefined) => (hash === undefined ? '' : content.sources.get(hash)!)
  const batch = { tree, files, reusables, source, revisions: new Map(), base: undefined }
  return applyBatch(
    batch,
    readBatch(changes, [], () => 'new'),
    new Date(0),
  )
}

test('the bytes of the whole source count', () => {
  assert.equal(Buffer.byteLength(FULL), SIZE)
  assert.equal(pageProblem('Full', FULL), undefined)
  assert.equal(
    pageProblem('Full', `${FULL}a`)?.message,
    '"Full" has 1000001 bytes of Markdown, with its front matter and title; the limit is 1000000; split the page',
  )
})

test('a batch is refused for the title and the front matter that it adds to a full page', () => {
  const changes: SentChange[] = [
    { operation: 'update_page', page: 'full', title: 'Fuller' },
    { operation: 'update_page', page: 'full', description: 'Longer than before' },
    { operation: 'insert_page', document: { markdown: `${FULL}a` } },
  ]
  for (const change of changes) {
    assert.throws(
      () => send({ operation: 'insert_page', title: 'A', document: {} }, change),
      (error) =>
        error instanceof BatchRefused &&
        error.index === 1 &&
        error.field === 'document' &&
        /^"Fuller"|^"Full" has 10000\d\d bytes .* the limit is 1000000; split the page$/.test(error.message),
      change.operation,
    )
  }
  assert.equal(send({ operation: 'update_page', page: 'full', title: 'Less' }).outcomes.length, 1)
})

test('a merge of two edits that fit one by one is refused by name', () => {
  const base = emptyContent()
  addPage(base, 'full', null, 'i', sourceOf(SIZE - 10))
  const [x, y] = [branch(base, 'x'), branch(base, 'y')]
  addPage(x, 'full', null, 'i', sourceOf(SIZE - 10).replace('# Full', '# Fullest'))
  addPage(y, 'full', null, 'i', sourceOf(SIZE - 10).replace('Short', 'Short too.'))
  assert.equal(merge(base, x, y).merged.refused, undefined)
  addPage(y, 'full', null, 'i', sourceOf(SIZE - 10).replace('Short', 'Short too....'))
  assert.match(
    merge(base, x, y).merged.refused?.message ?? '',
    /^"Fullest" has 1000001 bytes .* the limit is 1000000; split the page$/,
  )
})

test('a resolution is refused for a title that does not fit', () => {
  const content = full()
  const { document } = content.pages.get('full')!
  const values = { base: 'Full', primary: 'Fuller', own: 'Full' }
  const conflict = makeConflict('page', { id: 'full', title: 'Full' }, 'field', values, { field: 'title' })
  const sources = new Map([[document!, FULL]])
  const resolution = resolveConflict({
    conflict,
    choice: { side: 'primary' },
    own: snapshotOf(content),
    sources,
    now: '',
  })
  assert.match('refused' in resolution ? resolution.refused.message : '', /^"Fuller" has 1000002 bytes/)
})

test('an import divides a page that is larger once it is UTF-8', async () => {
  const bytes = Buffer.from(`\ufeff# A\n\n${'語'.repeat(Math.floor(SIZE / 3))}\n`, 'utf16le')
  assert.ok(bytes.length < SIZE)
  const { pages, problems } = await planImport(new Map([['a.md', bytes]]), () => ({ references: [] }))
  assert.equal(pages.length, 2)
  assert.match(problems[0]?.message ?? '', /^has 10000\d\d bytes; the limit is 1000000/)
})

const cells = (rows: number, columns: number) =>
  `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${`${'|x'.repeat(columns)}|\n`.repeat(rows)}`
const EXCESSIVE: Record<string, [source: string, problem: RegExp]> = {
  blocks: ['a\n\n'.repeat(20_001), /^"P" has 20001 blocks; the limit is 20000; split the page$/],
  cells: [cells(200, 60), /^"P" has 12000 cells of tables; the limit is 10000; split the page$/],
  'cells of HTML': [
    `<table><tr>${'<td>a</td>'.repeat(60)}</tr>${`<tr>${'<td>b</td>'.repeat(60)}</tr>`.repeat(199)}</table>`,
    /^"P" has 12000 cells of tables/,
  ],
  inlines: [
    `${'[a](b) '.repeat(100)}\n\n`.repeat(260),
    /^"P" has \d+ links, marks and other parts of lines; the limit is 50000/,
  ],
  formulas: ['$$x$$ '.repeat(1_001), /^"P" has 1001 formulas; the limit is 1000/],
  'characters of formulas': [
    `$$\n${'a'.repeat(9_999)}\n$$\n\n`.repeat(11),
    /^"P" has 109989 characters in formulas; the limit is 100000/,
  ],
  'characters of formulas in lines': [
    `<span class="math">${'a'.repeat(9_000)}</span>\n\n`.repeat(12),
    /^"P" has 108000 characters in formulas; the limit is 100000/,
  ],
  'a title': [`# ${'a'.repeat(1_001)}\n\nb`, /^"P" has a title of 1001 characters; the limit is 1000$/],
  'an underlined title': [`${'a\n'.repeat(600)}=\n\nb`, /^"P" has a title of 1199 characters/],
  'front matter': [`---\na: ${'b'.repeat(20_000)}\n---\n`, /^"P" has front matter that has 20004 characters/],
  'nested front matter': [
    '---\na:\n b:\n  c:\n   d:\n    e: 1\n---\n',
    /^"P" has front matter that nests more than 4 levels deep on line 5$/,
  ],
}

for (const [name, [source, problem]] of Object.entries(EXCESSIVE)) {
  test(`${name} beyond the limit are refused where they are written, and imported or stored ones are shown as source`, async () => {
    assert.match(pageProblem('P', source)?.message ?? '', problem)
    assert.throws(
      () => send({ operation: 'insert_page', title: 'P', document: { markdown: source } }),
      (error) =>
        error instanceof BatchRefused && error.field === 'document' && / limit|nests/.test(error.message),
    )
    const files = new Map([['p.md', Buffer.from(source)]])
    // An import keeps the page as it is.
    const { pages, problems } = await planImport(files, (text) => ({ ...parsePage(text), references: [] }))
    assert.equal(pages[0]?.kind === 'document' && pages[0].source, source)
    assert((pages[0]?.title ?? '').length <= PAGE_LIMITS.title)
    assert.deepEqual([problems.length, problems[0]?.path], [1, 'p.md'])
    const kept =
      /^has front matter that .* it is kept, but not used$|^has a title of |is shown as its source: has /
    assert.match(problems[0]?.message ?? '', kept)

    const { document } = parsePage(source)
    assert.ok(countParts(document).blocks <= PAGE_LIMITS.blocks)
    if (!/title|front/.test(name))
      assert.deepEqual([document.nodes.length, document.nodes[0]?.type], [1, 'code'])
  })
}

test('a document is refused before it is printed', () => {
  const paragraph = { type: 'paragraph', nodes: [{ object: 'text', leaves: [{ text: 'a' }] }] }
  const document = { nodes: Array.from({ length: 20_001 }, () => paragraph) }
  assert.throws(
    () => send({ operation: 'insert_page', title: 'P', document: { document } }),
    /^Error: "P" has 20001 blocks; the limit is 20000; split the page$/,
  )
})

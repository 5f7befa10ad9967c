/** The limit of a page holds for its whole stored source, whatever writes it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { addPage, branch, emptyContent, snapshotOf, type Content } from '../../../test/core/histories.ts'
import { merge } from '../../../test/core/merge-laws.ts'
import { planImport } from '../repository/plan.ts'
import { applyBatch } from './batch/apply.ts'
import { readBatch, type SentChange } from './batch/read.ts'
import { BatchRefused } from './batch/refused.ts'
import { makeConflict } from './merge/conflict.ts'
import { resolveConflict } from './merge/resolve.ts'
import { LIMITS, sizeProblem } from './revision.ts'

const SIZE = LIMITS.documentBytes
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
  assert.equal(sizeProblem('Full', FULL), undefined)
  assert.equal(
    sizeProblem('Full', `${FULL}a`),
    '"Full" has 5000001 bytes of Markdown, with its front matter and title; the limit is 5000000',
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
        /^"Fuller"|^"Full" has 50000\d\d bytes .* the limit is 5000000$/.test(error.message),
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
    merge(base, x, y).merged.refused ?? '',
    /^"Fullest" has 5000001 bytes .* the limit is 5000000$/,
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
  assert.match('refused' in resolution ? resolution.refused : '', /^"Fuller" has 5000002 bytes/)
})

test('an import is refused for a page that is larger once it is UTF-8', async () => {
  const bytes = Buffer.from(`\ufeff# A\n\n${'語'.repeat(SIZE / 3)}\n`, 'utf16le')
  assert.ok(bytes.length < SIZE)
  await assert.rejects(
    planImport(new Map([['a.md', bytes]]), () => ({ references: [] })),
    /"a\.md" has 50000\d\d bytes of Markdown, .* the limit is 5000000/,
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { PageRecord } from '../revision.ts'
import { checkTree, uniqueSlug } from './rules.ts'
import { indexTree } from './tree.ts'
import { holds } from '../../../../test/property.ts'

const AT = '2026-01-01T00:00:00.000Z'

function page(id: string, fields: Partial<PageRecord> = {}): PageRecord {
  const given = { slug: id, title: id, parent: null, order: 'i', type: 'document' as const }
  return { id, createdAt: AT, updatedAt: AT, ...given, ...fields }
}

function faults(...pages: PageRecord[]): string[] {
  const problems = checkTree(indexTree(new Map(pages.map((record) => [record.id, record]))))
  return problems.map(({ page: id, fault }) => `${id ?? ''} ${fault}`)
}

/** Each page below the one before. */
function line(count: number): PageRecord[] {
  return Array.from({ length: count }, (_, i) => page(`p${i}`, { parent: i ? `p${i - 1}` : null }))
}

/** All pages below the first. */
function row(count: number): PageRecord[] {
  return Array.from({ length: count }, (_, i) => page(`p${i}`, { parent: i ? 'p0' : null }))
}

test('a tree of groups, documents and links is right', () => {
  assert.deepEqual(
    faults(
      page('g', { type: 'group' }),
      page('a', { parent: 'g' }),
      page('b', { parent: 'a', slug: 'a' }),
      page('l', { type: 'link', slug: '', parent: 'a' }),
      page('m', { type: 'link', slug: '', parent: 'a' }),
      page('ü', { slug: '日本語' }),
    ),
    [],
  )
})

test('names each fault and the page that has it', () => {
  assert.deepEqual(faults(page('a', { parent: 'gone' })), ['a no-parent'])
  assert.deepEqual(faults(page('a', { parent: 'b' }), page('b', { parent: 'a' })), ['a cycle'])
  assert.deepEqual(faults(page('l', { type: 'link', slug: '' }), page('a', { parent: 'l' })), [
    'a childless-parent',
  ])
  assert.deepEqual(faults(page('a'), page('g', { type: 'group', parent: 'a' })), ['g nested-group'])
  for (const slug of ['', '.', '..', 'a/b', 'a\nb']) assert.deepEqual(faults(page('a', { slug })), ['a slug'])
  const twins = [page('a', { slug: 'same' }), page('b', { slug: 'Same' })]
  assert.deepEqual(faults(...twins), ['a duplicate-slug', 'b duplicate-slug'])
})

test('says what is wrong in words', () => {
  const tree = indexTree(new Map([['a', page('a', { title: 'Start', slug: 'a/b' })]]))
  assert.deepEqual(checkTree(tree), [
    {
      fault: 'slug',
      page: 'a',
      reason: 'tree-slug-invalid',
      parameters: { title: 'Start', id: 'a', slug: '"a/b"' },
      message: 'The page "Start" (a) has the slug "a/b", which cannot be part of a path',
    },
  ])
})

test('32 levels are allowed and 33 are not', () => {
  assert.deepEqual(faults(...line(32)), [])
  assert.deepEqual(faults(...line(33)), ['p32 too-deep'])
})

test('50,000 pages are allowed and one more is not', () => {
  assert.deepEqual(faults(...row(50_000)), [])
  assert.deepEqual(faults(...row(50_001)), [' too-many-pages'])
})

test('a change is checked with what is below it, and with its siblings', () => {
  const tree = indexTree(
    new Map([...line(31), page('x'), page('y', { parent: 'x' })].map((record) => [record.id, record])),
  )
  const after = (...changes: [string, PageRecord | null][]) =>
    checkTree(tree.apply(new Map(changes)), new Map(changes).keys()).map(
      ({ page: id, fault }) => `${id} ${fault}`,
    )

  assert.deepEqual(after(['x', page('x', { parent: 'p29' })]), [])
  assert.deepEqual(after(['x', page('x', { parent: 'p30' })]), ['y too-deep'])
  assert.deepEqual(after(['y', page('y', { slug: 'p0' })]), ['y duplicate-slug'])
  assert.deepEqual(after(['x', null]), ['y no-parent'])
  assert.deepEqual(after(['x', page('x', { parent: 'y' })]), ['x cycle'])
})

test('checking only what changed finds a fault whenever checking all does', () => {
  const id = fc.constantFrom(...'a b c d e f g h'.split(' '))
  const type = fc.constantFrom('document' as const, 'document' as const, 'group' as const, 'link' as const)
  const change = fc.tuple(
    id,
    fc.option(fc.record({ parent: fc.option(id), slug: fc.constantFrom('x', 'y', 'z'), type })),
  )
  const edits = fc.array(change, { minLength: 1, maxLength: 3 })
  holds(
    fc.property(fc.array(edits, { maxLength: 12, size: 'max' }), (batches) => {
      let tree = indexTree(new Map())
      for (const batch of batches) {
        const changes = new Map(batch.map(([name, fields]) => [name, fields && page(name, fields)]))
        const next = tree.apply(changes)
        const all = checkTree(next)
        assert.equal(checkTree(next, changes.keys()).length > 0, all.length > 0)
        if (all.length === 0) tree = next
        for (const { id: one, type: kind } of tree.pages()) {
          if (kind !== 'link') assert.equal(tree.byPath(tree.path(one))?.id, one)
        }
      }
    }),
    { cases: 3000 },
  )
})

test('a slug is made unique by a number, within 100 characters', () => {
  assert.equal(uniqueSlug('intro', new Set()), 'intro')
  assert.equal(uniqueSlug('intro', new Set(['intro', 'intro-1'])), 'intro-2')
  assert.equal(uniqueSlug('Intro', new Set(['intro'])), 'Intro-1')
  const long = 'a'.repeat(120)
  assert.equal(uniqueSlug(long, new Set(['a'.repeat(100)])), `${'a'.repeat(98)}-1`)
})

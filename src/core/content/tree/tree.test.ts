import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { PageRecord } from '../revision.ts'
import { indexTree } from './tree.ts'
import type { PageTree } from './tree.ts'
import { holds } from '../../../../test/property.ts'

const AT = '2026-01-01T00:00:00.000Z'

function page(id: string, fields: Partial<PageRecord> = {}): PageRecord {
  return {
    id,
    type: 'document',
    parent: null,
    order: 'i',
    title: id.toUpperCase(),
    slug: id,
    createdAt: AT,
    updatedAt: AT,
    ...fields,
  }
}

function treeOf(...pages: PageRecord[]): PageTree {
  return indexTree(new Map(pages.map((record) => [record.id, record])))
}

const ids = (pages: readonly PageRecord[]) => pages.map(({ id }) => id)

/** guides (group): intro (its file guides/intro.md), intro's advanced; then api, a link, and a hidden page with a child. */
function sample(): PageTree {
  return treeOf(
    page('guides', { type: 'group', order: 'a', slug: 'Guides' }),
    page('intro', { parent: 'guides', order: 'b', file: 'guides/intro.md' }),
    page('advanced', { parent: 'intro', order: 'a' }),
    page('api', { parent: 'guides', order: 'c', noIndex: true }),
    page('api2', { parent: 'api', noRobotsIndex: true }),
    page('web', { type: 'link', slug: '', order: 'd', target: { kind: 'url', url: 'https://example.org' } }),
    page('secret', { order: 'e', hidden: true }),
    page('inner', { parent: 'secret' }),
    page('last', { order: 'f' }),
  )
}

test('pages stand in reading order, siblings by order and then by id', () => {
  const tree = sample()
  const all = ['guides', 'intro', 'advanced', 'api', 'api2', 'web', 'secret', 'inner', 'last']
  assert.deepEqual(ids(tree.pages()), all)
  assert.deepEqual(ids(tree.roots()), ['guides', 'web', 'secret', 'last'])
  assert.deepEqual(ids(tree.children('guides')), ['intro', 'api'])
  assert.deepEqual(ids(tree.children('nowhere')), [])
  assert.deepEqual(ids(treeOf(page('c'), page('a'), page('b', { order: '1' })).roots()), ['b', 'a', 'c'])
})

test('noIndex and noRobotsIndex count for everything below', () => {
  const tree = sample()
  assert.deepEqual(ids(tree.pages().filter(({ id }) => tree.noIndex(id))), ['api', 'api2'])
  assert.deepEqual(ids(tree.pages().filter(({ id }) => tree.noRobotsIndex(id))), ['api2'])
})

test('a path is the slugs from the top, groups included', () => {
  const tree = sample()
  assert.equal(tree.path('advanced'), 'Guides/intro/advanced')
  assert.equal(tree.path('guides'), 'Guides')
  assert.equal(tree.path('nowhere'), '')
  assert.deepEqual(ids(tree.ancestors('advanced')), ['intro', 'guides'])
})

test('a page is found by its path in any case, with slashes at the ends, and with .md', () => {
  const tree = sample()
  for (const path of ['guides/intro', '/Guides/INTRO/', 'guides/intro.md', '//guides/intro//']) {
    assert.equal(tree.byPath(path)?.id, 'intro', path)
  }
  assert.equal(tree.byPath('guides')?.type, 'group')
  for (const path of ['intro', 'guides/nothing', 'guides//intro', 'guides/intro/advanced/more', '.md']) {
    assert.equal(tree.byPath(path), undefined, path)
  }
  assert.equal(treeOf(page('a', { slug: 'notes.md' })).byPath('notes.md')?.id, 'a')
})

test('the first document, in a group or not, is at the empty path and keeps its own', () => {
  const tree = sample()
  for (const path of ['', '/']) assert.equal(tree.byPath(path)?.id, 'intro')
  assert.equal(tree.byPath('guides/intro')?.id, 'intro')
  assert.equal(tree.first()?.id, 'intro')
  assert.equal(treeOf(page('g', { type: 'group' })).byPath(''), undefined)
})

test('a page is found by its repository file, of two the older', () => {
  assert.equal(sample().byFile('guides/intro.md')?.id, 'intro')
  assert.equal(sample().byFile('guides/Intro.md'), undefined)
  const twice = treeOf(page('b', { file: 'x.md' }), page('a', { file: 'x.md', order: 'z' }))
  assert.equal(twice.byFile('x.md')?.id, 'a')
})

test('a page whose parent is missing stands at the top level', () => {
  const tree = treeOf(page('a', { parent: 'gone' }), page('b', { parent: 'a' }))
  assert.deepEqual(ids(tree.roots()), ['a'])
  assert.equal(tree.parent('a'), null)
  assert.equal(tree.path('b'), 'a/b')
  assert.equal(tree.regular, false)
})

test('a cycle is cut at its smallest id, and what hangs on it is kept', () => {
  const tree = treeOf(
    page('c', { parent: 'b' }),
    page('a', { parent: 'c' }),
    page('b', { parent: 'a' }),
    page('tail', { parent: 'c' }),
    page('self', { parent: 'self' }),
  )
  assert.deepEqual(ids(tree.pages()), ['a', 'b', 'c', 'tail', 'self'])
  assert.equal(tree.path('tail'), 'a/b/c/tail')
  assert.equal(tree.regular, false)
})

// Few ids, so that parents are often there, missing, or below the page itself.
const id = fc.constantFrom(...'a b c d e f g h i j k l m n o p'.split(' '))
const record = fc.record({
  id,
  parent: fc.option(id),
  order: fc.constantFrom('3', '6', '9', 'c', 'f'),
  slug: fc.constantFrom('one', 'Two', 'three', 'four', ''),
  file: fc.option(fc.constantFrom('1.md', '2.md', '3.md'), { nil: undefined }),
  hidden: fc.boolean(),
  type: fc.constantFrom('document' as const, 'group' as const, 'link' as const),
})
const records = fc.array(record, { maxLength: 20, size: 'max' })

/** Everything that can be asked of a tree. */
function answers(tree: PageTree) {
  const all = tree.pages()
  const paths = ['', 'one', 'two', 'one/two', 'one/one', 'two/three/four']
  return {
    size: tree.size,
    regular: tree.regular,
    pages: all,
    perPage: all.map((one) => [tree.get(one.id), tree.parent(one.id), tree.path(one.id)]),
    children: all.map((one) => ids(tree.children(one.id))),
    roots: ids(tree.roots()),
    first: tree.first()?.id,
    paths: paths.map((path) => tree.byPath(path)?.id),
    files: ['1.md', '2.md', '3.md'].map((file) => tree.byFile(file)?.id),
  }
}

test('any records give a tree that holds each page once and agrees with itself', () => {
  holds(
    fc.property(records, (list) => {
      const tree = treeOf(...list.map((fields) => page(fields.id, fields)))
      const all = ids(tree.pages())
      assert.equal(all.length, tree.size)
      assert.equal(new Set(all).size, tree.size)
      for (const one of all) {
        const above = tree.parent(one)
        assert.ok(ids(tree.children(above)).includes(one))
        assert.deepEqual(
          ids(tree.ancestors(one)),
          above === null ? [] : [above, ...ids(tree.ancestors(above))],
        )
        if (tree.regular) assert.equal(above, tree.get(one)!.parent)
      }
    }),
    { cases: 3000 },
  )
})

test('applying changes gives the tree of the changed records, and leaves the one before as it was', () => {
  const batch = fc.array(fc.oneof({ weight: 3, arbitrary: record }, id), { maxLength: 3 })
  holds(
    fc.property(records, fc.array(batch, { maxLength: 8 }), (start, batches) => {
      let expected = new Map(start.map((fields) => [fields.id, page(fields.id, fields)]))
      let tree = indexTree(expected)
      answers(tree)
      for (const changes of batches) {
        const edits = new Map(
          changes.map((change): [string, PageRecord | null] =>
            typeof change === 'string' ? [change, null] : [change.id, page(change.id, change)],
          ),
        )
        const before = answers(tree)
        const next = tree.apply(edits)
        expected = new Map(expected)
        for (const [name, to] of edits) {
          if (to) expected.set(name, to)
          else expected.delete(name)
        }
        assert.deepEqual(answers(next), answers(indexTree(expected)))
        assert.deepEqual(answers(tree), before)
        tree = next
      }
    }),
    { cases: 3000 },
  )
})

test('a page is found by its new slug alone as soon as it has it, and not at all once it is a link', () => {
  const tree = sample()
  assert.equal(tree.byPath('guides/api')?.id, 'api')
  const renamed = tree.apply(new Map([['api', { ...tree.get('api')!, slug: 'reference' }]]))
  assert.equal(renamed.byPath('guides/api'), undefined)
  assert.equal(renamed.byPath('guides/reference/api2')?.id, 'api2')
  assert.equal(tree.byPath('guides/api')?.id, 'api')
  const link = tree.apply(new Map([['last', { ...tree.get('last')!, type: 'link' as const }]]))
  assert.equal(tree.byPath('last')?.id, 'last')
  assert.equal(link.byPath('last'), undefined)
})

test('a long line of one-page edits stays right', () => {
  const expected = new Map<string, PageRecord>(
    Array.from({ length: 400 }, (_, i) => {
      const parent = i === 0 ? null : `p${Math.floor((i - 1) / 5)}`
      return [`p${i}`, page(`p${i}`, { parent, order: `${i % 7}x`, file: `f${i}.md` })] as const
    }),
  )
  let tree = indexTree(new Map(expected))
  assert.equal(tree.byFile('f7.md')?.id, 'p7')
  for (let i = 0; i < 700; i++) {
    const old = expected.get(`p${(i * 7919) % 400}`)!
    const kind = i % 3
    const next = {
      ...old,
      ...(kind === 0 && { title: `${old.title}!` }),
      ...(kind === 1 && { order: `${i}x` }),
      ...(kind === 2 && { slug: `${old.slug}-${i}` }),
    }
    const extra = page(`n${i}`, { parent: old.id, file: `n${i}.md` })
    const gone = i > 5 ? `n${i - 5}` : undefined
    expected.set(next.id, next).set(extra.id, extra)
    if (gone) expected.delete(gone)
    tree = tree.apply(
      new Map<string, PageRecord | null>([
        [next.id, next],
        [extra.id, extra],
        ...(gone ? [[gone, null] as const] : []),
      ]),
    )
  }
  const anew = indexTree(expected)
  assert.equal(tree.size, expected.size)
  assert.deepEqual(tree.pages(), anew.pages())
  for (const { id: one, file } of anew.pages()) {
    assert.equal(tree.path(one), anew.path(one))
    assert.equal(tree.byFile(file!)?.id, anew.byFile(file!)?.id)
    assert.equal(tree.byPath(tree.path(one))?.id, anew.byPath(anew.path(one))?.id)
  }
})

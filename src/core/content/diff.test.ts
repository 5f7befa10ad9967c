import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type Content, diffContents, type Difference, isSeen, type MapChanges } from './diff.ts'
import { build } from '../../../test/core/prolly-trees.ts'
import { canonical } from '../data/json.ts'
import { diff, parseNode } from './prolly-tree/read.ts'
import type { Load } from './prolly-tree/node.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from './revision.ts'
import { indexTree, type PageTree } from './tree/tree.ts'
import { holds } from '../../../test/property.ts'

const AT = '2026-01-01T00:00:00.000Z'

/** A content as its records. */
interface Whole {
  pages: Map<string, PageRecord>
  files: Map<string, FileRecord>
  reusables: Map<string, ReusableRecord>
  variables: Variables
  redirects: Record<string, string>
}

const byId = <R extends { id: string }>(records: R[]) => new Map(records.map((record) => [record.id, record]))

function page(id: string, fields: Partial<PageRecord> = {}): PageRecord {
  return stored<PageRecord>({
    id,
    type: 'document',
    parent: null,
    order: 'i',
    title: id.toUpperCase(),
    slug: id,
    createdAt: AT,
    updatedAt: AT,
    ...fields,
  })
}

/** As it comes out of a map: keys sorted, without what is undefined. */
function stored<T extends object>(record: T): T {
  return JSON.parse(JSON.stringify(canonical(record))) as T
}

function whole(pages: PageRecord[], more: Partial<Whole> = {}): Whole {
  return { pages: byId(pages), files: new Map(), reusables: new Map(), variables: {}, redirects: {}, ...more }
}

async function changesOf<V>(a: ReadonlyMap<string, V>, b: ReadonlyMap<string, V>) {
  const [left, right] = [await build(a), await build(b)]
  const nodes = new Map([...left.nodes, ...right.nodes])
  const load: Load<V> = async (hashes) =>
    new Map(hashes.map((hash) => [hash, parseNode<V>(nodes.get(hash)!.json)]))
  return diff(left.root, right.root, load)
}

const contentOf = ({ pages, variables, redirects }: Whole): Content => ({
  pages: indexTree(pages),
  variables,
  redirects,
})

async function differences(
  a: Whole,
  b: Whole,
  [before, after] = [contentOf(a), contentOf(b)],
): Promise<Difference[]> {
  const changes: MapChanges = {
    pages: await changesOf(a.pages, b.pages),
    files: await changesOf(a.files, b.files),
    reusables: await changesOf(a.reusables, b.reusables),
  }
  return diffContents(before, after, changes)
}

/** What the differences make of a content; each must find it as it says. */
function apply(all: readonly Difference[], a: Whole): Whole {
  const [pages, files, reusables] = [new Map(a.pages), new Map(a.files), new Map(a.reusables)]
  let { variables, redirects } = a

  for (const one of all) {
    switch (one.type) {
      case 'page_created':
        assert(!pages.has(one.page.id))
        pages.set(one.page.id, one.page)
        break
      case 'page_deleted':
        assert.deepEqual(pages.get(one.page.id), one.page)
        pages.delete(one.page.id)
        break
      case 'page_moved': {
        const { parent, order } = one.after
        const now = pages.get(one.before.id)!
        assert.deepEqual([now.parent, now.order], [one.before.parent, one.before.order])
        pages.set(now.id, { ...now, parent, order })
        break
      }
      case 'page_edited': {
        const { parent, order } = pages.get(one.before.id)!
        assert.deepEqual(pages.get(one.before.id), { ...one.before, parent, order })
        pages.set(one.before.id, { ...one.after, parent, order })
        break
      }
      case 'file_created':
        assert(!files.has(one.file.id))
        files.set(one.file.id, one.file)
        break
      case 'file_deleted':
        assert.deepEqual(files.get(one.file.id), one.file)
        files.delete(one.file.id)
        break
      case 'file_edited':
        assert.deepEqual(files.get(one.before.id), one.before)
        files.set(one.after.id, one.after)
        break
      case 'reusable_content_created':
        assert(!reusables.has(one.reusable.id))
        reusables.set(one.reusable.id, one.reusable)
        break
      case 'reusable_content_deleted':
        assert.deepEqual(reusables.get(one.reusable.id), one.reusable)
        reusables.delete(one.reusable.id)
        break
      case 'reusable_content_edited':
        assert.deepEqual(reusables.get(one.before.id), one.before)
        reusables.set(one.after.id, one.after)
        break
      case 'variables_edited':
        assert.deepEqual(variables, one.before)
        variables = one.after
        break
      case 'redirects_edited':
        assert.deepEqual(redirects, one.before)
        redirects = one.after
        break
    }
  }
  return { pages, files, reusables, variables, redirects }
}

/** A difference in a few words. */
function words(one: Difference): string {
  const subject = ['page', 'file', 'reusable', 'after'].flatMap((name) => (one as never)[name] ?? [])[0]
  const { id = '' } = subject as unknown as { id?: string }
  const attributes = 'attributes' in one ? one.attributes.join(' ') : ''
  return [one.type, id, attributes].filter(Boolean).join(' ')
}

const seen = async (a: Whole, b: Whole) => (await differences(a, b)).filter(isSeen).map(words)

// Few ids, titles and places, so that most of two contents is the same.
const ids = 'a b c d e f g h i j'.split(' ')
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 })
const flag = maybe(fc.boolean())
const anyPage = fc
  .record({
    id: fc.constantFrom(...ids),
    type: fc.constantFrom('document' as const, 'group' as const, 'link' as const),
    parent: fc.option(fc.constantFrom(...ids), { freq: 2 }),
    order: fc.constantFrom('3', '6', '9', 'c'),
    title: fc.constantFrom('One', 'Two'),
    slug: fc.constantFrom('one', 'two', ''),
    hidden: flag,
    noIndex: flag,
    icon: maybe(fc.constantFrom('house', 'star')),
    layout: maybe(fc.constantFrom({}, { width: 'wide' as const }, { tags: false })),
    variables: maybe(fc.dictionary(fc.constantFrom('x', 'constructor'), fc.constantFrom(1, 'y'))),
    target: maybe(fc.constantFrom({ kind: 'url' as const, url: 'https://example.com' })),
    document: maybe(fc.constantFrom('1', '2')),
    oid: maybe(fc.constantFrom('1', '2')),
    updatedAt: fc.constantFrom(AT, '2026-01-02T00:00:00.000Z'),
  })
  .map((fields) => page(fields.id, fields))
const anyFile = fc
  .record({
    id: fc.constantFrom(...ids),
    name: fc.constantFrom('a.png', 'b.png'),
    contentType: fc.constant('image/png'),
    size: fc.constantFrom(1, 2),
    hash: fc.constantFrom('1', '2'),
    dimensions: maybe(fc.constant({ width: 1, height: 1 })),
    oid: maybe(fc.constantFrom('1', '2')),
    createdAt: fc.constant(AT),
  })
  .map(stored<FileRecord>)
const anyReusable = fc
  .record({
    id: fc.constantFrom(...ids),
    title: fc.constantFrom('One', 'Two'),
    document: maybe(fc.constantFrom('1', '2')),
    path: maybe(fc.constantFrom('1.md', '2.md')),
  })
  .map(stored<ReusableRecord>)
const few = { maxLength: 4 }
const content: fc.Arbitrary<Whole> = fc.record({
  pages: fc.array(anyPage, { maxLength: 14 }).map(byId),
  files: fc.array(anyFile, few).map(byId),
  reusables: fc.array(anyReusable, few).map(byId),
  variables: fc
    .dictionary(fc.constantFrom('x', 'y', 'toString'), fc.constantFrom(1, true, 'text'))
    .map(stored),
  redirects: fc.dictionary(fc.constantFrom('old', '__proto__'), fc.constantFrom('a.md', 'b.md')).map(stored),
})

/** Two contents, of which the second often has much of the first. */
const pair = fc.tuple(content, content, fc.boolean()).map(([a, b, apart]): [Whole, Whole] => [
  a,
  apart
    ? b
    : {
        ...b,
        pages: new Map([...a.pages, ...[...b.pages].slice(0, 3)]),
        files: new Map([...a.files, ...b.files]),
      },
])

test('applied to the one content, what differs gives the other', async () => {
  await holds(
    fc.asyncProperty(pair, async ([a, b]) => {
      assert.deepEqual(apply(await differences(a, b), a), { ...b })
      assert.deepEqual(apply(await differences(b, a), b), { ...a })
    }),
    { cases: 3000 },
  )
})

test('contents that are the same differ in nothing', async () => {
  await holds(
    fc.asyncProperty(content, async (a) => assert.deepEqual(await differences(a, { ...a }), [])),
    { cases: 300 },
  )
})

/** With every page below one that is there, as stored contents are: below one with a smaller id, so never itself. */
const regular = ({ pages, ...rest }: Whole): Whole => ({
  ...rest,
  pages: byId(
    [...pages.values()].map((one) => {
      const above = one.parent !== null && one.parent < one.id && pages.has(one.parent)
      return above ? one : { ...one, parent: null }
    }),
  ),
})

/** What readers see of a page besides its place. */
function shown(record: PageRecord): Record<string, unknown> {
  const fields = Object.entries(record).filter(
    ([name]) => !['parent', 'order', 'oid', 'file', 'createdAt', 'updatedAt'].includes(name),
  )
  const layout = { width: 'default', ...record.layout }
  return { hidden: false, noIndex: false, ...Object.fromEntries(fields), layout }
}

test('whatever a reader sees to differ is in what is shown, and nothing else is', async () => {
  await holds(
    fc.asyncProperty(pair, async ([first, second]) => {
      const [a, b] = [regular(first), regular(second)]
      const all = (await differences(a, b)).filter(isSeen)
      const [before, after] = [indexTree(a.pages), indexTree(b.pages)]
      const moved = new Set(all.flatMap((one) => (one.type === 'page_moved' ? [one.after.id] : [])))
      const edits = new Map(
        all.flatMap((one) => (one.type === 'page_edited' ? [[one.after.id, one.attributes] as const] : [])),
      )
      for (const [id, record] of b.pages) {
        const old = a.pages.get(id)
        if (!old) continue
        const [then, now] = [shown(old), shown(record)]
        const names = Object.keys({ ...then, ...now }).filter(
          (name) => JSON.stringify(then[name]) !== JSON.stringify(now[name]),
        )
        assert.deepEqual([...(edits.get(id) ?? [])].toSorted(), names.toSorted())
        if (before.parent(id) !== after.parent(id)) assert(moved.has(id))
      }
      // Those that are not said to be moved stand as they stood.
      for (const parent of [null, ...ids]) {
        const stay = (tree: PageTree, other: PageTree) =>
          tree
            .children(parent)
            .map(({ id }) => id)
            .filter((id) => !moved.has(id) && other.get(id) && other.parent(id) === parent)
        assert.deepEqual(stay(before, after), stay(after, before))
      }
    }),
    { cases: 2000 },
  )
})

const RANK = ['page', 'file', 'reusable', 'variables', 'redirects']

test('pages come in reading order, then the ones that are gone in theirs, then the rest', async () => {
  await holds(
    fc.asyncProperty(pair, async ([a, b]) => {
      const all = await differences(a, b)
      const ranks = all.map(({ type }) => RANK.findIndex((kind) => type.startsWith(kind)))
      assert.deepEqual(ranks, ranks.toSorted())
      const [before = [], after = []] = [contentOf(a), contentOf(b)].map(({ pages }) =>
        pages.pages().map(({ id }) => id),
      )
      const places = all.flatMap((one) => {
        if (one.type === 'page_deleted') return [after.length * 2 + before.indexOf(one.page.id)]
        if (one.type === 'page_created') return [after.indexOf(one.page.id) * 2]
        if (one.type === 'page_moved') return [after.indexOf(one.after.id) * 2]
        return one.type === 'page_edited' ? [after.indexOf(one.after.id) * 2 + 1] : []
      })
      assert.deepEqual(
        places,
        places.toSorted((x, y) => x - y),
      )
      assert(places.every((place) => place >= 0))
    }),
    { cases: 1000 },
  )
})

const home = [
  page('a', { order: '1' }),
  page('b', { order: '2' }),
  page('c', { order: '3' }),
  page('d', { order: '4', parent: 'c' }),
]
const with_ = (pages: PageRecord[], ...others: PageRecord[]) => whole([...pages, ...others])

test('each kind of difference, as the reader of a change request would tell it', async () => {
  const start = whole(home)
  const cases: [string, Whole, string[]][] = [
    ['a new page', with_(home, page('e')), ['page_created e']],
    ['a subtree that is gone', whole(home.slice(0, 2)), ['page_deleted c', 'page_deleted d']],
    ['another title', with_(home, page('a', { order: '1', title: 'New' })), ['page_edited a title']],
    [
      'hidden, and an icon',
      with_(home, page('a', { order: '1', hidden: true, icon: 'x' })),
      ['page_edited a icon hidden'],
    ],
    ['below another page', with_(home, page('b', { order: '2', parent: 'a' })), ['page_moved b']],
    ['to the front', with_(home, page('c', { order: '0' })), ['page_moved c']],
    [
      'moved and edited',
      with_(home, page('c', { order: '0', slug: 'z' })),
      ['page_moved c', 'page_edited c slug'],
    ],
    ['another key in the same place', with_(home, page('b', { order: '25' })), []],
    ['shown, as it was by default', with_(home, page('b', { order: '2', hidden: false })), []],
    [
      'a layout that says the default',
      with_(home, page('b', { order: '2', layout: { width: 'default' } })),
      [],
    ],
    ['touched', with_(home, page('b', { order: '2', updatedAt: '2027-01-01T00:00:00.000Z', oid: '1' })), []],
  ]
  for (const [what, after, expected] of cases) assert.deepEqual(await seen(start, after), expected, what)
})

test('the fewest pages that explain an order were moved, and none that was not touched', async () => {
  const row = (...orders: string[]) => whole(orders.map((order, i) => page(ids[i]!, { order })))
  const start = row('1', '2', '3', '4')
  assert.deepEqual(await seen(start, row('5', '2', '3', '4')), ['page_moved a'])
  assert.deepEqual(await seen(start, row('1', '2', '3', '15')), ['page_moved d'])
  // All have new keys, and the first went to the end.
  assert.deepEqual(await seen(start, row('9', '6', '7', '8')), ['page_moved a'])
  assert.deepEqual(await seen(start, row('2', '4', '6', '8')), [])
  // Only the first kept its key, so it was the others that went before it.
  assert.deepEqual(await seen(start, row('1', '01', '02', '03')), [
    'page_moved b',
    'page_moved c',
    'page_moved d',
  ])
})

test('variables and redirects in another order are the same', async () => {
  const a = whole([], { variables: { x: 1, y: 2 }, redirects: { p: '1', q: '2' } })
  const b = whole([], { variables: { y: 2, x: 1 }, redirects: { q: '2', p: '1' } })
  assert.deepEqual(await differences(a, b), [])
})

test('pages that are the same cost nothing: the trees are not walked', async () => {
  const many = Array.from({ length: 3000 }, (_, i) =>
    page(`p${String(i).padStart(4, '0')}`, { parent: i < 60 ? null : `p${String(i % 60).padStart(4, '0')}` }),
  )
  const b = with_(many, page('p2000', { parent: 'p0020', title: 'New' }), page('p0007', { order: '1' }))
  let lookups = 0
  const counted = (tree: PageTree): PageTree => {
    const known = { ...tree, pages: () => assert.fail(), documents: () => assert.fail() }
    known.get = (id) => ((lookups += 1), tree.get(id))
    known.ancestors = (id) => ((lookups += 1), tree.ancestors(id))
    known.children = (id) => ((lookups += 1), tree.children(id))
    return known
  }
  const [before, after] = [contentOf(whole(many)), contentOf(b)]
  const all = await differences(whole(many), b, [
    { ...before, pages: counted(before.pages) },
    { ...after, pages: counted(after.pages) },
  ])
  assert.deepEqual(all.filter(isSeen).map(words), ['page_moved p0007', 'page_edited p2000 title'])
  // Of one page its siblings are looked at, because it got another key among them.
  assert(lookups <= 2 * 60 + 10, `${lookups} lookups`)
})

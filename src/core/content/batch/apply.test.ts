import assert from 'node:assert/strict'
import test from 'node:test'

import fc from 'fast-check'

import { applyBatch, type BatchContent } from './apply.ts'
import { insertsPage, readBatch, type SentChange } from './read.ts'
import { BatchRefused } from './refused.ts'
import { linksIn } from '../../document/links/links-in.ts'
import { documentHash } from '../hash.ts'
import { spread } from '../tree/order.ts'
import type { PageRecord, PageType } from '../revision.ts'
import { checkTree } from '../tree/rules.ts'
import { indexTree, type PageTree } from '../tree/tree.ts'
import { holds } from '../../../../test/property.ts'

/** A page of the slow model: its children in a list, as anyone would think of it. */
interface Node {
  id: string
  title: string
  type: PageType
  children: Node[]
}

const NOW = new Date('2026-01-02T00:00:00.000Z')
const THEN = '2026-01-01T00:00:00.000Z'

/** What to start with: every page says how far back in the list its parent is. */
const start = fc.array(
  fc.record({
    type: fc.constantFrom<PageType>('document', 'document', 'document', 'group', 'link'),
    parent: fc.option(fc.nat(6)),
  }),
  { maxLength: 12 },
)

function contentOf(pages: { type: PageType; parent: number | null }[]): { tree: PageTree; model: Node[] } {
  const model: Node[] = []
  const nodes: Node[] = []
  const records = new Map<string, PageRecord>()
  const orders = spread(pages.length)
  pages.forEach(({ type, parent }, i) => {
    const id = `p${i}`
    const above = type === 'group' || parent === null ? undefined : nodes.filter(holdsPages)[parent]
    const node: Node = { id, title: `P ${i}`, type, children: [] }
    nodes.push(node)
    ;(above?.children ?? model).push(node)
    const slug = type === 'link' ? '' : `p-${i}`
    const at = { createdAt: THEN, updatedAt: THEN }
    records.set(id, {
      id,
      type,
      title: node.title,
      slug,
      parent: above?.id ?? null,
      order: orders[i]!,
      ...at,
    })
  })
  return { tree: indexTree(records), model }
}

const holdsPages = ({ type }: Node) => type === 'document' || type === 'group'

/** A change as numbers, which mean pages once it is known which there are. */
const step = fc.record({
  kind: fc.constantFrom('insert', 'group', 'link', 'update', 'update', 'delete', 'move', 'move'),
  page: fc.nat(),
  into: fc.option(fc.nat(), { nil: undefined }),
  top: fc.boolean(),
  at: fc.option(fc.nat(8), { nil: undefined }),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

function all(nodes: Node[]): Node[] {
  return nodes.flatMap((node) => [node, ...all(node.children)])
}

const holder = (model: Node[], node: Node): Node[] =>
  [model, ...all(model).map(({ children }) => children)].find((list) => list.includes(node))!

/** Makes a change of the model, and says how it is sent; undefined where it must be refused. */
function take(
  model: Node[],
  { kind, page, into, top, at }: Step,
  i: number,
): { sent: SentChange; right: boolean } {
  const nodes = all(model)
  const node = nodes[page % Math.max(1, nodes.length)]
  const above = into === undefined || nodes.length === 0 ? undefined : nodes[into % nodes.length]
  const placing = {
    ...(above ? { into: above.id } : top ? { into: null } : {}),
    ...(at === undefined ? {} : { at }),
  }
  const put = (list: Node[], one: Node) => void list.splice(Math.min(at ?? list.length, list.length), 0, one)

  const id = `new${i}`
  const title = `New ${i}`
  if (kind === 'group') {
    put(model, { id, title, type: 'group', children: [] })
    const place = at === undefined ? {} : { at }
    return { sent: { operation: 'insert_group', title, ref: id, ...place }, right: true }
  }
  if (kind === 'link') {
    const target = { kind: 'url', url: 'https://example.com' } as const
    const sent: SentChange = { operation: 'insert_link', title, target, ref: id, ...placing }
    if (above && !holdsPages(above)) return { sent, right: false }
    put(above?.children ?? model, { id, title, type: 'link', children: [] })
    return { sent, right: true }
  }
  if (kind === 'insert' || !node) {
    const sent: SentChange = {
      operation: 'insert_page',
      title,
      document: {},
      ref: id,
      ...placing,
    }
    if (above && !holdsPages(above)) return { sent, right: false }
    put(above?.children ?? model, { id, title, type: 'document', children: [] })
    return { sent, right: true }
  }
  if (kind === 'delete') {
    const list = holder(model, node)
    list.splice(list.indexOf(node), 1)
    return { sent: { operation: 'delete_page', page: node.id }, right: true }
  }
  if (kind === 'update') {
    node.title = `T ${i}`
    return { sent: { operation: 'update_page', page: node.id, title: node.title }, right: true }
  }

  const sent: SentChange = { operation: 'update_page', page: node.id, ...placing }
  const wrong = above && (!holdsPages(above) || node.type === 'group' || all([node]).includes(above))
  if (wrong) return { sent, right: false }
  const from = holder(model, node)
  const to = above ? above.children : top ? model : from
  if (to === from && at === undefined) return { sent, right: true }
  from.splice(from.indexOf(node), 1)
  put(to, node)
  return { sent, right: true }
}

const shape = (nodes: Node[]): unknown => nodes.map(({ title, children }) => [title, shape(children)])
const shapeOf = (tree: PageTree, id: string | null = null): unknown =>
  tree.children(id).map((page) => [page.title, shapeOf(tree, page.id)])

const contentOn = (tree: PageTree, base?: PageTree): BatchContent => ({
  tree,
  source: () => '',
  revisions: new Map(base ? [['base', base]] : []),
  base: base && 'base',
  files: new Map(),
  reusables: new Map(),
})

/** Ids as the model has them: what is made is called as its name says. */
function ids(changes: readonly SentChange[]): () => string {
  const names = changes.flatMap((change) => (insertsPage(change) ? (change.ref ?? []) : [])).values()
  return () => names.next().value ?? 'none'
}

function applied(tree: PageTree, changes: SentChange[]) {
  return applyBatch(contentOn(tree), readBatch(changes, [], ids(changes)), NOW)
}

test('any batch does to the tree what it does to lists in lists, or is refused where that says so', () => {
  const cases = 3000
  let [done, refused] = [0, 0]
  holds(
    fc.property(start, fc.array(step, { minLength: 1, maxLength: 12 }), (pages, steps) => {
      const { tree, model } = contentOf(pages)
      const changes: SentChange[] = []
      for (const [i, one] of steps.entries()) {
        const { sent, right } = take(model, one, i)
        changes.push(sent)
        if (right) continue
        refused += 1
        assert.throws(
          () => applied(tree, changes),
          (error) => error instanceof BatchRefused && error.index === i && error.field === 'into',
        )
        return
      }
      done += 1
      const { pages: records, outcomes } = applied(tree, changes)
      const after = tree.apply(records)
      assert.deepEqual(shapeOf(after), shape(model))
      assert.deepEqual(checkTree(after), [])
      for (const { change, page } of outcomes) {
        const [was, is] = [tree.get(page) !== undefined, after.get(page) !== undefined]
        assert.equal(change, is ? (was ? 'updated' : 'created') : 'deleted')
      }
    }),
    { cases },
  )
  // The run may end before it has tried all cases.
  const few = (done + refused) / 6
  assert(done > few && refused > few, `${done} were made, ${refused} refused`)
})

test('taking every page back brings back the tree, whatever was done', () => {
  holds(
    fc.property(start, fc.array(step, { minLength: 1, maxLength: 12 }), (pages, steps) => {
      const { tree, model } = contentOf(pages)
      const changes = steps.flatMap((one, i) => {
        const { sent, right } = take(model, one, i)
        return right ? [sent] : []
      })
      if (changes.length === 0) return
      const changed = tree.apply(applied(tree, changes).pages)

      // Twice: a page may first have to make room for another one, its slug or its parent.
      const added = changed.pages().filter(({ id }) => !tree.get(id))
      let now = changed
      for (const { id } of [...added, ...tree.pages(), ...tree.pages()]) {
        if (!now.get(id) && !tree.get(id)) continue
        const read = readBatch([{ operation: 'revert_page', page: id }], [], () => '')
        const { pages: records } = applyBatch(contentOn(now, tree), read, NOW)
        now = now.apply(records)
        assert.deepEqual(checkTree(now), [])
      }
      assert.deepEqual(shapeOf(now), shapeOf(tree))
      assert.deepEqual(
        new Map(now.pages().map((page) => [page.id, page.slug])),
        new Map(tree.pages().map((page) => [page.id, page.slug])),
      )
    }),
    { cases: 2000 },
  )
})

test('a batch that is refused leaves the tree it was given as it was', () => {
  const { tree } = contentOf([{ type: 'document', parent: null }])
  const before = structuredClone(tree.pages())
  assert.throws(() =>
    applied(tree, [
      { operation: 'delete_page', page: 'p0' },
      { operation: 'delete_page', page: 'p0' },
    ]),
  )
  assert.deepEqual(tree.pages(), before)
})

test('siblings that only make room are not changed for anyone who looks', () => {
  const at = { createdAt: THEN, updatedAt: THEN }
  const records = ['a', 'b', 'c'].map((id): PageRecord => ({
    id,
    type: 'document',
    title: id,
    slug: id,
    parent: null,
    order: 'i',
    ...at,
  }))
  const tree = indexTree(new Map(records.map((page) => [page.id, page])))
  const { pages, outcomes } = applied(tree, [
    { operation: 'insert_page', title: 'New', document: {}, ref: 'new', at: 1 },
  ])
  assert.deepEqual(shapeOf(tree.apply(pages)), [
    ['a', []],
    ['New', []],
    ['b', []],
    ['c', []],
  ])
  assert.deepEqual(outcomes, [{ change: 'created', page: 'new', ref: 'new' }])
  for (const page of pages.values()) if (page?.id !== 'new') assert.equal(page?.updatedAt, THEN)
})

test('the links that a batch read are those of the source that is stored', () => {
  const content = contentOn(indexTree(new Map()))
  const sent = (markdown: string): SentChange[] => [
    { operation: 'insert_page', title: 'One', ref: 'one', document: { markdown: '# One\n\ntext' } },
    { operation: 'insert_page', title: 'Two', document: { markdown } },
  ]
  for (const markdown of [
    '[one](./one)',
    '[a](../a.md#b) ![f](f.png)',
    '---\nicon: x\n---\n\n<a id="n">t</a>',
  ]) {
    const changes = sent(markdown)
    const read = readBatch(changes, [], ids(changes))
    const { documents } = applyBatch(content, read, NOW)
    for (const change of read) {
      if (change.operation !== 'insert_page' || change.body.kind !== 'markdown') continue
      assert.equal(documents.get(documentHash(change.body.source)), change.body.source)
      assert.deepEqual(change.body.links, linksIn(change.body.source))
    }
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyBatch } from './batch/apply.ts'
import { readBatch, type SentChange } from './batch/read.ts'
import { BatchRefused } from './batch/refused.ts'
import { findOldPath, leavesPlace, oldPlacesAfter, oldPlacesFrom, cloneOldPlaces } from './old-places.ts'
import { hasPath, type PageRecord } from './revision.ts'
import { indexTree, type PageTree } from './tree/tree.ts'
import { holds } from '../../../test/property.ts'

const AT = '2026-01-01T00:00:00.000Z'

function page(id: string, fields: Partial<PageRecord> = {}): PageRecord {
  const at = { createdAt: AT, updatedAt: AT }
  return { id, type: 'document', parent: null, order: 'i', title: id, slug: id, ...at, ...fields }
}

/** A content that is changed revision by revision. */
function contentOf(...pages: PageRecord[]) {
  let tree = indexTree(new Map(pages.map((one) => [one.id, one])))
  let places = new Map<string, string>()
  let count = 0
  return {
    get tree() {
      return tree
    },
    get places() {
      return places
    },
    /** Sets records, or removes them where null. @returns how many entries that wrote */
    set(changes: ReadonlyMap<string, PageRecord | null>, most?: number): number {
      const moved = [...changes]
        .flatMap(([id, after]) => (tree.get(id) ? [{ before: tree.get(id)!, after }] : []))
        .filter(leavesPlace)
      const edits = oldPlacesAfter(places, moved, `r${String(count).padStart(4, '0')}`, most)
      count += 1
      tree = tree.apply(changes)
      places = new Map(places)
      for (const [key, since] of edits) {
        if (since === null) places.delete(key)
        else places.set(key, since)
      }
      return edits.size
    },
    /** Changes fields of one page. */
    move(id: string, fields: Partial<PageRecord>): number {
      return this.set(new Map([[id, { ...tree.get(id)!, ...fields }]]))
    },
    remove(...ids: string[]): number {
      return this.set(new Map(ids.map((id) => [id, null])))
    },
    at: (path: string) => (tree.byPath(path) ?? findOldPath(tree, places, path))?.id,
  }
}

test('a page is found by every path that it had, in any case, with slashes at the ends and with .md', () => {
  const content = contentOf(page('a'), page('b'))
  content.move('a', { slug: 'Second' })
  content.move('a', { slug: 'third', parent: 'b' })
  for (const path of ['a', 'second', 'SECOND', '/a/', 'A.md', 'second.MD', 'b/third'])
    assert.equal(content.at(path), 'a', path)
  for (const path of ['', 'third', 'a/b', 'b/second', '.md', 'a.mdx', 'a//b', 'a/'.repeat(2000) + 'a'])
    assert.notEqual(findOldPath(content.tree, content.places, path)?.id, 'a', path)
})

test('what is below a page moves with one entry, and is found by its old paths wherever it went since', () => {
  const below = Array.from({ length: 2000 }, (_, i) => page(`c${i}`, { parent: 'a' }))
  const content = contentOf(page('a'), page('b'), ...below)
  assert.equal(content.move('a', { parent: 'b', slug: 'x' }), 1)
  assert.equal(content.at('a/c7'), 'c7')
  content.move('c7', { slug: 'seven', parent: null })
  content.move('a', { slug: 'y' })
  for (const path of ['a/c7', 'b/x/c7', 'seven']) assert.equal(content.at(path), 'c7', path)
  assert.equal(content.at('a/c8'), 'c8')
  assert.equal(content.at('a/seven'), undefined, 'it was never there')
})

test('who has a path now comes first, then of those who are still there the last who had it', () => {
  const content = contentOf(page('a'), page('b'), page('c'))
  content.move('a', { slug: 'a2' })
  content.move('b', { slug: 'a' })
  assert.equal(content.at('a'), 'b')
  content.move('b', { slug: 'b2' })
  assert.equal(content.at('a'), 'b')
  content.remove('b')
  assert.equal(content.at('a'), 'a')
  content.move('a', { slug: 'a' })
  assert.equal(content.at('a'), 'a')
})

test('a page is found by a path through pages that are deleted', () => {
  const content = contentOf(
    page('a'),
    page('b', { parent: 'a' }),
    page('c', { parent: 'b' }),
    page('d', { parent: 'b' }),
  )
  content.move('c', { parent: null })
  content.remove('a', 'b', 'd')
  assert.equal(content.at('a/b/c'), 'c')
  for (const path of ['a', 'a/b', 'a/b/d']) assert.equal(content.at(path), undefined, path)

  const at_once = contentOf(page('a'), page('c', { parent: 'a' }))
  at_once.set(
    new Map([
      ['a', null],
      ['c', page('c')],
    ]),
  )
  assert.equal(at_once.at('a/c'), 'c')
})

test('deleting pages that nobody left writes nothing', () => {
  const content = contentOf(page('a'), page('b', { parent: 'a' }))
  assert.equal(content.remove('a', 'b'), 0)
})

test('a page that has become a link is not where a path leads, and links have no old paths', () => {
  const content = contentOf(page('a'), page('w', { type: 'link', slug: '' }))
  content.move('w', { parent: 'a' })
  assert.equal(content.places.size, 0)
  content.move('a', { type: 'link', slug: '' })
  assert.equal(content.at('a'), undefined)
})

test('of too many entries the oldest go', () => {
  const content = contentOf(page('a'))
  for (let i = 0; i < 10; i++) content.set(new Map([['a', page('a', { slug: `s${i}` })]]), 3)
  assert.deepEqual([...content.places.keys()].toSorted(), ['/s6/a/r0007', '/s7/a/r0008', '/s8/a/r0009'])
  assert.equal(content.at('s5'), undefined)
  assert.equal(content.at('s6'), 'a')
  content.set(new Map([['a', page('a', { slug: 'z' })]]), 0)
  assert.equal(content.places.size, 0)
})

test('where a page took the place of another below one that moved, each is found by the path that it had', () => {
  const content = contentOf(page('guide'), page('install', { parent: 'guide' }))
  content.move('install', { parent: null })
  content.move('guide', { slug: 'manual' })
  content.set(new Map([['r0002-new', page('r0002-new', { slug: 'install', parent: 'guide' })]]))
  assert.equal(content.at('guide/install'), 'install')
  assert.equal(content.at('manual/install'), 'r0002-new')
})

test('a history takes over the entries that it lacks from another one, and a copy keeps those of its own pages', () => {
  const one = new Map([['/a/p/r2', 'r1']])
  const other = new Map([...one, ['q/c/p/r1', 'p']])
  assert.deepEqual([...oldPlacesFrom(one, other)], [['q/c/p/r1', 'p']])
  const copy = cloneOldPlaces(other, (id) => (id === 'p' ? 'P' : undefined))
  assert.deepEqual([...copy.keys()], ['/a/P/r2', 'q/c/P/r1'])
})

/** A change as numbers, which mean pages once it is known which there are. */
const change = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'revert', 'rename', 'rename', 'move', 'move', 'move'),
  page: fc.nat(),
  into: fc.option(fc.nat()),
  slug: fc.constantFrom('a', 'B', 'c'),
})
type Step = typeof change extends fc.Arbitrary<infer S> ? S : never

function sentOf({ kind, page: place, into, slug }: Step, tree: PageTree, i: number): SentChange {
  const all = tree.pages()
  const id = all[place % Math.max(1, all.length)]?.id ?? 'none'
  const above = into === null || all.length === 0 ? null : all[into % all.length]!.id
  if (kind === 'insert' || all.length === 0)
    return { operation: 'insert_page', title: 'New', document: {}, slug, into: above, ref: `n${i}` }
  if (kind === 'delete') return { operation: 'delete_page', page: id }
  if (kind === 'revert') return { operation: 'revert_page', page: id }
  if (kind === 'rename') return { operation: 'update_page', page: id, slug }
  return { operation: 'update_page', page: id, into: above }
}

test('after any batches, every path that a page had leads to one that has it, or else to one that had it', () => {
  const cases = 1500
  let [histories, resolved, refused, elsewhere] = [0, 0, 0, 0]
  holds(
    fc.property(
      fc.array(fc.array(change, { minLength: 1, maxLength: 2 }), { maxLength: 30, size: 'max' }),
      (batches) => {
        histories += 1
        const content = contentOf(
          page('p0', { slug: 'a' }),
          page('p1', { slug: 'b', parent: 'p0' }),
          page('p2', { slug: 'c', parent: 'p1' }),
          page('p3', { slug: 'b', order: 'j' }),
        )
        const base = content.tree
        /** By page, every path that it had since it was created or restored. */
        const had = new Map<string, Set<string>>()
        const note = () => {
          for (const id of had.keys()) if (!content.tree.get(id)) had.delete(id)
          for (const one of content.tree.pages())
            if (hasPath(one))
              had.set(one.id, (had.get(one.id) ?? new Set()).add(content.tree.path(one.id).toLowerCase()))
        }
        note()

        let [made, turn, revived] = [0, 0, false]
        const gone = new Set<string>()
        for (const steps of batches) {
          const sent = steps.map((step, i) => sentOf(step, content.tree, i))
          try {
            // Ids are ordered by time, those of pages among those of revisions.
            const newId = () => `r${String(turn).padStart(4, '0')}n${++made}`
            const read = readBatch(sent, [], newId)
            const { pages } = applyBatch(
              {
                tree: content.tree,
                source: () => '',
                revisions: new Map([['base', base]]),
                base: 'base',
                files: new Map(),
                reusables: new Map(),
              },
              read,
              new Date(AT),
            )
            for (const [id, one] of pages) {
              if (!one) gone.add(id)
              else if (gone.has(id)) revived = true
            }
            content.set(pages)
            turn += 1
            note()
          } catch (error) {
            if (!(error instanceof BatchRefused)) throw error
            refused += 1
          }
        }

        for (const [id, paths] of had) {
          for (const path of paths) {
            const present = content.tree.byPath(path)
            const found = content.at(path.toUpperCase())
            assert(found !== undefined, `nothing at ${path}, where ${id} was`)
            // Of pages that were gone for a while it is not known when they came back.
            if (!revived) assert(had.get(found)?.has(path), `${found} was never at ${path}`)
            if (present) assert.equal(found, present.id)
            resolved += 1
            if (found !== id) elsewhere += 1
          }
        }
      },
    ),
    { cases },
  )
  assert(
    resolved > histories * 2.5 && refused > histories / 3 && elsewhere > histories / 15,
    `${resolved}, ${refused}, ${elsewhere}`,
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { addPage, branch, emptyContent, type Content } from '../../../../test/core/histories.ts'
import { assertValid, merge } from '../../../../test/core/merge-laws.ts'
import type { PageRecord } from '../revision.ts'
import type { Conflict } from './model.ts'

/** Pages as `parent/id`, at the top level without a parent; each named by its id. */
function contentOf(...places: string[]): Content {
  const content = emptyContent()
  for (const place of places) {
    const [id, parent = null] = place.split('/').toReversed()
    addPage(content, id!, parent, 'i', `# ${id}\n\nText of ${id}.\n`)
  }
  return content
}

function change(content: Content, id: string, fields: Partial<PageRecord>): void {
  content.pages.set(id, { ...content.pages.get(id)!, ...fields })
}

function placesIn({ pages }: Content): string[] {
  return [...pages.values()].map(({ id, parent }) => (parent === null ? id : `${parent}/${id}`)).toSorted()
}

function conflictLines(conflicts: readonly Conflict[]): string[] {
  return conflicts.map(({ kind, id, field }) =>
    [kind, id, field].filter((one) => one !== undefined).join(' '),
  )
}

/** Merges what the two do to a content, keeping one side and then the other. */
function both(base: Content, primary: (content: Content) => void, own: (content: Content) => void) {
  const [x, y] = [branch(base, 'x'), branch(base, 'y')]
  primary(x)
  own(y)
  const outcomes = { primary: merge(base, x, y, 'primary'), own: merge(base, x, y, 'own') }
  assert.deepEqual(
    conflictLines(outcomes.primary.merged.conflicts),
    conflictLines(outcomes.own.merged.conflicts),
  )
  for (const { merged, result } of Object.values(outcomes))
    if (merged.refused === undefined) assertValid(result)
  return {
    conflicts: outcomes.own.merged.conflicts,
    primary: outcomes.primary.result,
    own: outcomes.own.result,
    refused: outcomes.own.merged.refused,
  }
}

const remove =
  (...ids: string[]) =>
  ({ pages }: Content) => {
    for (const id of ids) pages.delete(id)
  }
const nothing = () => undefined

test('what one side deleted and the other left alone is gone, with all below it', () => {
  const { conflicts, own } = both(contentOf('a', 'a/b', 'b/c', 'd'), remove('a', 'b', 'c'), (content) =>
    change(content, 'd', { title: 'D', document: undefined }),
  )
  assert.deepEqual(conflicts, [])
  assert.deepEqual(placesIn(own), ['d'])
})

test('deleted by one and edited deep below by the other is one conflict, on the topmost deleted page', () => {
  const result = both(contentOf('top', 'top/a', 'a/b', 'b/c'), remove('a', 'b', 'c'), (content) =>
    change(content, 'c', { emoji: '1f600' }),
  )
  assert.deepEqual(conflictLines(result.conflicts), ['existence a'])
  assert.equal(result.conflicts[0]!.primary, null)
  const { pages } = result.conflicts[0]!.own as unknown as { pages: PageRecord[] }
  assert.deepEqual(
    pages.map(({ id }) => id),
    ['a', 'b', 'c'],
  )
  assert.deepEqual(placesIn(result.primary), ['top'])
  assert.deepEqual(placesIn(result.own), ['a/b', 'b/c', 'top', 'top/a'])
})

test('no orphan where one side deletes a page under which the other adds, or moves something', () => {
  const added = both(contentOf('a', 'a/b'), remove('a', 'b'), (content) =>
    addPage(content, 'n', 'b', 'i', '# n\n'),
  )
  assert.deepEqual(conflictLines(added.conflicts), ['existence a'])
  assert.deepEqual(placesIn(added.primary), [])
  assert.deepEqual(placesIn(added.own), ['a', 'a/b', 'b/n'])

  const moved = both(contentOf('a', 'm', 'm/n'), remove('a'), (content) => {
    change(content, 'm', { parent: 'a' })
    addPage(content, 'new', 'm', 'k', '# new\n')
  })
  assert.deepEqual(conflictLines(moved.conflicts), ['existence a'])
  assert.deepEqual(placesIn(moved.primary), ['m', 'm/n', 'm/new'])
  assert.deepEqual(placesIn(moved.own), ['a', 'a/m', 'm/n', 'm/new'])
})

test('a page that one side moved out of what the other deleted lives where it was moved, with all below it', () => {
  const { conflicts, own } = both(contentOf('a', 'a/b', 'b/c', 'd'), remove('a', 'b', 'c'), (content) =>
    change(content, 'b', { parent: 'd', emoji: '1f600' }),
  )
  assert.deepEqual(conflicts, [])
  assert.deepEqual(placesIn(own), ['b/c', 'd', 'd/b'])
})

test('a page that one side deleted and the other moved is a conflict, whatever else was done to it', () => {
  const base = contentOf('a', 'p', 'p/q')
  for (const fields of [{ parent: 'a' }, { parent: 'a', title: 'New', document: undefined }]) {
    const moved = both(base, remove('p', 'q'), (content) => change(content, 'p', fields))
    assert.deepEqual(conflictLines(moved.conflicts), ['existence p'])
    assert.deepEqual(placesIn(moved.primary), ['a'])
    assert.deepEqual(placesIn(moved.own), ['a', 'a/p', 'p/q'])
  }

  const alone = both(contentOf('a', 'b', 'a/p'), remove('p'), (content) =>
    change(content, 'p', { parent: 'b' }),
  )
  assert.deepEqual(conflictLines(alone.conflicts), ['existence p'])

  const within = both(
    contentOf('a', 'b', 'd', 'a/k', 'a/l'),
    (content) => {
      change(content, 'a', { parent: 'b' })
      change(content, 'k', { parent: 'd' })
      content.pages.delete('l')
      addPage(content, 'm', 'a', 'i', '# m\n')
    },
    remove('a', 'k', 'l'),
  )
  assert.deepEqual(conflictLines(within.conflicts), ['existence a'])
  assert.deepEqual(placesIn(within.primary), ['a/m', 'b', 'b/a', 'd', 'd/k'])
  assert.deepEqual(placesIn(within.own), ['b', 'd', 'd/k'])
})

test('a page that was moved out of what the other side deleted, and that got pages below it, is a conflict', () => {
  const result = both(contentOf('a', 'a/b', 'd'), remove('a', 'b'), (content) => {
    change(content, 'b', { parent: 'd' })
    addPage(content, 'n', 'b', 'i', '# n\n')
  })
  assert.deepEqual(conflictLines(result.conflicts), ['existence b'])
  assert.deepEqual(placesIn(result.primary), ['d'])
  assert.deepEqual(placesIn(result.own), ['b/n', 'd', 'd/b'])
})

test('a page taken from what one side deleted into what the other deleted is not lost', () => {
  const result = both(
    contentOf('a', 'top', 'top/b', 'b/c'),
    (content) => {
      change(content, 'c', { parent: 'a' })
      content.pages.delete('b')
    },
    remove('a'),
  )
  assert.deepEqual(conflictLines(result.conflicts), ['existence a'])
  assert.deepEqual(placesIn(result.primary), ['a', 'a/c', 'top'])
  assert.deepEqual(placesIn(result.own), ['top', 'top/c'])
})

test('a page moved to two places is a conflict of its place, and stands where the kept side has it', () => {
  const result = both(
    contentOf('a', 'b', 'c'),
    (content) => change(content, 'c', { parent: 'a' }),
    (content) => change(content, 'c', { parent: 'b' }),
  )
  assert.deepEqual(conflictLines(result.conflicts), ['place c'])
  assert.deepEqual(placesIn(result.primary), ['a', 'a/c', 'b'])
  assert.deepEqual(placesIn(result.own), ['a', 'b', 'b/c'])
})

test('two moves that would make a cycle are conflicts of both places, and the tree stays a tree', () => {
  const result = both(
    contentOf('a', 'a/b', 'c', 'c/d'),
    (content) => change(content, 'a', { parent: 'd' }),
    (content) => change(content, 'c', { parent: 'b' }),
  )
  assert.deepEqual(conflictLines(result.conflicts), ['place a', 'place c'])
  assert.deepEqual(placesIn(result.primary), ['a/b', 'c', 'c/d', 'd/a'])
  assert.deepEqual(placesIn(result.own), ['a', 'a/b', 'b/c', 'c/d'])
})

test('of two pages that meet with one slug, who had it there keeps it, and the other gets a number', () => {
  const base = contentOf('a', 'b', 'c')
  const met = both(
    base,
    (content) => change(content, 'a', { slug: 'C' }),
    (content) => change(content, 'b', { slug: 'new' }),
  )
  assert.deepEqual(met.conflicts, [])
  assert.deepEqual(
    [...met.own.pages.values()].map(({ slug }) => slug),
    ['C-1', 'new', 'c'],
  )

  const fresh = both(
    base,
    (content) => change(content, 'b', { slug: 'new' }),
    (content) => change(content, 'a', { slug: 'New' }),
  )
  assert.deepEqual(
    [...fresh.own.pages.values()].map(({ slug }) => slug),
    ['New', 'new-1', 'c'],
  )
})

test('a title that both change is one conflict, and record and source say the same', () => {
  const base = contentOf('a')
  const titled = (title: string) => (content: Content) =>
    addPage(content, 'a', null, 'i', `# ${title}\n\nText of a.\n\nMore by ${title}.\n`)
  const result = both(base, titled('One'), titled('Two'))
  assert.deepEqual(conflictLines(result.conflicts), ['field a title'])
  const source = result.primary.sources.get(result.primary.pages.get('a')!.document!)
  assert.equal(source, '# One\n\nText of a.\n\nMore by One.\n\nMore by Two.\n')
})

test('a title changed by one side is written into the body that the other gave an empty page', () => {
  const base = contentOf('a')
  const { document: _document, oid: _oid, ...empty } = base.pages.get('a')!
  base.pages.set('a', empty)
  const { conflicts, own } = both(
    base,
    (content) => change(content, 'a', { title: 'New' }),
    (content) => addPage(content, 'a', null, 'i', '# a\n\nText.\n'),
  )
  assert.deepEqual(conflicts, [])
  assert.equal(own.sources.get(own.pages.get('a')!.document!), '# New\n\nText.\n')
})

test('what would be too deep together is refused', () => {
  const line = (name: string) =>
    Array.from({ length: 20 }, (_, i) => (i === 0 ? `${name}0` : `${name}${i - 1}/${name}${i}`))
  const { refused } = both(
    contentOf(...line('a'), ...line('b').slice(0, 10), 'c'),
    (content) => change(content, 'b0', { parent: 'a19' }),
    (content) => {
      for (let i = 10; i < 20; i++) addPage(content, `b${i}`, `b${i - 1}`, 'i', `# b${i}\n`)
    },
  )
  assert.match(refused?.message ?? '', /at most 32 are allowed/)
})

test('pages that neither side changed cost nothing', () => {
  const base = contentOf('a', 'b', ...Array.from({ length: 10_000 }, (_, i) => `b/p${i}`))
  const [x, y] = [branch(base, 'x'), branch(base, 'y')]
  change(x, 'p1', { emoji: '1f600' })
  change(y, 'p2', { emoji: '1f600' })
  const { merged, sources } = merge(base, x, y)
  assert.deepEqual([...merged.changesTo('own').pages.keys()], ['p1'])
  assert.deepEqual([...merged.changesTo('primary').pages.keys()], ['p2'])
  assert.deepEqual(sources, [])
  assert.deepEqual(both(contentOf('a'), nothing, nothing).conflicts, [])
})

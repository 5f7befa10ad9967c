/** Old places, redirects and differences between contents cost in proportion to their number, or a bounded effort. */
import { test } from 'node:test'
import { diffContents, type Content } from '../../../src/core/content/diff.ts'
import { LIMITS } from '../../../src/core/content/limits.ts'
import { findOldPath, oldPlacesAfter, type OldPlaces } from '../../../src/core/content/old-places.ts'
import type { PageRecord } from '../../../src/core/content/revision.ts'
import { indexTree, type PageTree } from '../../../src/core/content/tree/tree.ts'
import { assertBounded, familiesOf, type Families } from './growth.ts'

const AT = '2026-11-20T09:00:00.000Z'
const idOf = (index: number) => `p${String(index).padStart(6, '0')}`
const revisionOf = (index: number) => `r${String(index).padStart(6, '0')}`
/** Pages and old places are as many as the characters of an input, divided by this. */
const CHARACTERS_EACH = 100

function pageOf(index: number, changes: Partial<PageRecord> = {}): PageRecord {
  const id = idOf(index)
  const place = { parent: null, order: id, slug: `s${index}` }
  return { id, type: 'document', title: id, ...place, createdAt: AT, updatedAt: AT, ...changes }
}

type MakePage = (index: number, count: number) => Partial<PageRecord>

/** How the pages of a space are arranged. */
const TREES: Record<string, MakePage> = {
  'pages at the top level': () => ({}),
  'pages below one': (index) => ({ parent: index === 0 ? null : idOf(0) }),
  'chains of pages': (index) => ({ parent: index % LIMITS.treeDepth === 0 ? null : idOf(index - 1) }),
  'equal slugs': () => ({ slug: 'a' }),
  'equal slugs in chains': (index) => ({
    slug: 'a',
    parent: index % LIMITS.treeDepth === 0 ? null : idOf(index - 1),
  }),
  groups: (index) => ({ type: index % 2 === 0 ? 'group' : 'document' }),
}

/** Where the pages were before: the key of the old place of a page. */
const PASTS: Record<string, (index: number, count: number) => string> = {
  'places of many pages': (index) => `/old${index}/${idOf(index)}/${revisionOf(index)}`,
  'places of one page': (index) => `/old${index}/${idOf(0)}/${revisionOf(index)}`,
  'one place of many pages': (index) => `/a/${idOf(index)}/${revisionOf(index)}`,
  'one place of one page': (index) => `/a/${idOf(0)}/${revisionOf(index)}`,
  'places below one another': (index, count) =>
    `${index === 0 ? '' : idOf((index * 7) % count)}/a/${idOf(index)}/${revisionOf(index)}`,
  'two pages that swap places': (index) =>
    `${idOf(index % 2)}/a/${idOf((index + 1) % 2)}/${revisionOf(index)}`,
  'places of deleted pages': (index) => `gone${index}/a/gone${index + 1}/${revisionOf(index)}`,
}

const PATHS: Record<string, string> = {
  'an unknown path': 'nothing/here',
  'an old path': 'old1',
  'a path of one place': 'a',
  'a deep path': Array.from({ length: LIMITS.treeDepth }, () => 'a').join('/'),
  'a path with .md': 'a/a.md',
}

function treeOf(make: MakePage, count: number): PageTree {
  return indexTree(recordsOf(make, count))
}

function recordsOf(make: MakePage, count: number): Map<string, PageRecord> {
  return new Map(
    Array.from({ length: count }, (_, index) => [idOf(index), pageOf(index, make(index, count))]),
  )
}

function pastOf(make: (index: number, count: number) => string, count: number): OldPlaces {
  return new Map(
    Array.from({ length: count }, (_, index) => [make(index, count), revisionOf(Math.max(0, index - 1))]),
  )
}

/** How the pages of a content change. */
const CHANGES: Record<string, (page: PageRecord, index: number, count: number) => PageRecord | null> = {
  'all titles': (page) => ({ ...page, title: 'x' }),
  'all deleted': () => null,
  'every other one deleted': (page, index) => (index % 2 === 0 ? null : page),
  reversed: (page, index, count) => ({ ...page, order: idOf(count - index) }),
  shuffled: (page, index, count) => ({ ...page, order: idOf((index * 7919) % count) }),
  'all below the first': (page, index) => (index === 0 ? page : { ...page, parent: idOf(0) }),
  'all to the top level': (page) => ({ ...page, parent: null }),
  'all slugs': (page) => ({ ...page, slug: `${page.slug}x` }),
}

type Work = (count: number) => unknown

const LOOKUPS = Object.entries(TREES).flatMap(([what, make]) =>
  Object.entries(PASTS).flatMap(([past, place]) =>
    Object.entries(PATHS).map(([path, wanted]): [string, Work] => [
      `looks up ${path} among ${past} and ${what}`,
      (count) => findOldPath(treeOf(make, count), pastOf(place, count), wanted),
    ]),
  ),
)

const COMPARISONS = Object.entries(TREES).flatMap(([what, make]) =>
  Object.entries(CHANGES).map(([how, change]): [string, Work] => [
    `compares ${what}: ${how}`,
    (count) => {
      const before = recordsOf(make, count)
      const pages = [...before.values()].map((page, index) => {
        const after = change(page, index, count)
        return { key: page.id, before: page, ...(after ? { after } : {}) }
      })
      const after = new Map(pages.flatMap((one) => (one.after ? [[one.key, one.after] as const] : [])))
      const content = (records: Map<string, PageRecord>): Content => ({
        pages: indexTree(records),
        variables: {},
        redirects: {},
      })
      diffContents(content(before), content(after), { pages, files: [], reusables: [] })
      const moves = pages.map((one) => ({ before: one.before, after: one.after ?? null }))
      return oldPlacesAfter(pastOf(PASTS['places of many pages']!, count), moves, revisionOf(count))
    },
  ]),
)

const WORKS = Object.fromEntries([...LOOKUPS, ...COMPARISONS])
const FAMILIES: Families = Object.fromEntries(
  Object.keys(WORKS).map((name) => [name, (size) => ' '.repeat(size)]),
)

/** A space has at most 50,000 pages and old places. */
const LONGEST = LIMITS.oldPlaces * CHARACTERS_EACH
const MOST_MS = 3_000

for (const [name, make] of familiesOf(FAMILIES, 69)) {
  test(`${name} in linear or bounded time`, () =>
    assertBounded(make, (input) => WORKS[name]!(Math.ceil(input.length / CHARACTERS_EACH)), MOST_MS, LONGEST))
}

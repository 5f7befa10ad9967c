import { append } from '../../core/data/lists.ts'
import { lru } from '../../core/data/lru.ts'
import { isTurnOver, giveTurn } from '../../core/runtime/turns.ts'
import { chunks } from '../../db/chunks.ts'
import { prepare } from '../../db/prepare.ts'
import { type SearchedSections, searchedSections } from '../../core/search/searched-text.ts'
import { DEFAULT_LANGUAGE } from '../../core/search/forms/stem.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import type { PageSection } from '../../core/search/sections.ts'
import type { Reader, Row } from '../../db/schema.ts'

/** The index of a space, with the page of each entry. */
export interface ReadIndex extends Known {
  number: number
  spaceId: string
  /** The number of entries when it was read; others may be added meanwhile. */
  size: number
}

/** An entry of an index: a page, or a part of it that stands under conditions. */
export interface IndexEntry {
  page: PageOfIndex
  when: readonly string[]
}

interface PageOfIndex {
  id: string
  /** Its place among the pages of the index. */
  number: number
  /** The id of the entry that is not a part. */
  entry: number
}

interface Known {
  /** Identifies the state that was read. The number differs if the index has changed. */
  state: number
  last: number
  root: string | null
  /** All entries in the order of their ids. One that was deleted meanwhile is never found, so it may stay. */
  entries: IndexEntry[]
  /** The place of each entry in that order, by its id. */
  places: Map<number, number>
  /** The pages by their ids. */
  pages: Map<string, PageOfIndex>
  /** The codes of the languages of pages. One may stay when its last page is gone. */
  languages: Set<string>
}

const BYTES_PER_ENTRY = 300
const known = lru<Known>(48 * 1024 * 1024, 'search-entries')
const NOT_CONDITIONAL: readonly string[] = []
let states = 0

/** The indexes of spaces that have one. */
export async function readIndexes(db: Reader, spaceIds: readonly string[]): Promise<ReadIndex[]> {
  const indexes = new Map<string, Row<'searchIndex'>>()
  for (const row of await readyIndexes(db, spaceIds)) indexes.set(row.spaceId, row)
  const read: ReadIndex[] = []
  for (const index of indexes.values()) {
    const one = await entriesOf(db, index)
    read.push({ ...one, number: index.number, spaceId: index.spaceId, size: one.entries.length })
    await giveTurn()
  }
  return read
}

async function readyIndexes(db: Reader, spaceIds: readonly string[]): Promise<readonly Row<'searchIndex'>[]> {
  const [first = ''] = spaceIds
  if (spaceIds.length === 1) return readyIndexesOf(db, first)
  const indexes: Row<'searchIndex'>[] = []
  for (const some of chunks(spaceIds)) {
    const rows = await db
      .selectFrom('searchIndex')
      .selectAll()
      .where('spaceId', 'in', some)
      .where('isReady', '=', 1)
      .orderBy('number')
      .execute()
    append(indexes, rows)
  }
  return indexes
}

/** Most searches are in one space. */
const readyIndexesOf = prepare<Row<'searchIndex'>>((db, argument) =>
  db
    .selectFrom('searchIndex')
    .selectAll()
    .where('spaceId', '=', argument(0))
    .where('isReady', '=', 1)
    .orderBy('number'),
)

/** Ids only grow, so what is read already is completed with the newer entries. */
async function entriesOf(
  db: Reader,
  { number, spaceId, lastEntry, pages: root }: Row<'searchIndex'>,
): Promise<Known> {
  // Tests have several databases, whose numbers are the same.
  const key = `${spaceId} ${number}`
  const before = known.get(key)
  if (before && before.last >= lastEntry && before.root === root) return before
  const { entries, places, pages, languages }: Pick<Known, 'entries' | 'places' | 'pages' | 'languages'> =
    before ?? {
      entries: [],
      places: new Map(),
      pages: new Map(),
      languages: new Set(),
    }
  const rows = await db
    .selectFrom('searchEntry')
    .select(['id', 'pageId', 'conditions', 'language'])
    .where('number', '=', number)
    .where('id', '>', before?.last ?? 0)
    .where('id', '<=', lastEntry)
    .orderBy('id')
    .execute()
  for (const { id, pageId, conditions, language } of rows) {
    if (isTurnOver()) await giveTurn()
    // Another request can have read the same rows.
    if (places.has(id)) continue
    const when = conditions === null ? NOT_CONDITIONAL : (JSON.parse(conditions) as string[])
    let page = pages.get(pageId)
    if (!page) pages.set(pageId, (page = { id: pageId, number: pages.size, entry: id }))
    if (conditions === null) page.entry = id
    if (language !== null) languages.add(language)
    places.set(id, entries.length)
    entries.push({ page, when })
  }
  const next = {
    state: ++states,
    last: Math.max(lastEntry, before?.last ?? 0),
    root,
    entries,
    places,
    pages,
    languages,
  }
  // Pages that are edited often leave entries behind: those of a whole new start take no more room.
  const isTattered = before !== undefined && entries.length > 2 * pages.size + 1000
  if (isTattered)
    known.set(
      key,
      { ...next, last: 0, entries: [], places: new Map(), pages: new Map(), languages: new Set() },
      0,
    )
  else known.set(key, next, entries.length * BYTES_PER_ENTRY)
  return next
}

/** The languages of the pages of indexes, of which an index that an earlier version made knows none. */
export function languagesOf(indexes: readonly ReadIndex[]): ReadonlySet<string> {
  const languages = new Set(indexes.flatMap((index) => [...index.languages]))
  return languages.size > 0 ? languages : new Set([DEFAULT_LANGUAGE])
}

/** The records of pages in a tree, as far as searches have found them, by their numbers in an index; null for none. */
export type FoundRecords = (PageRecord | null | undefined)[]

const foundIn = new WeakMap<PageTree, { pages: Known['pages']; records: FoundRecords }>()

/** The records of the pages of an index in a tree. Searches find the same pages again and again. */
export function recordsIn({ pages }: ReadIndex, tree: PageTree): FoundRecords {
  let found = foundIn.get(tree)
  if (found?.pages !== pages) foundIn.set(tree, (found = { pages, records: [] }))
  return found.records
}

/** The record of a page of an index in a tree; null if it is not there. @param records those of the index in the tree */
export function recordIn(
  tree: PageTree,
  records: FoundRecords,
  { id, number }: PageOfIndex,
): PageRecord | null {
  return (records[number] ??= tree.get(id) ?? null)
}

/** Keyed by ids that are never used again, so never stale. */
const texts = lru<SearchedSections>(96 * 1024 * 1024, 'search-texts')

/** The text of a page has up to 400,000 characters. */
const ROWS_READ = 8

/** The sections of pages, by the ids of their entries. */
export async function sectionsOfEntries(
  db: Reader,
  found: readonly { entry: number; page: { id: string } }[],
): Promise<Map<number, SearchedSections>> {
  const read = new Map<number, SearchedSections>()
  const missing = new Map<number, string>()
  for (const { entry, page } of found) {
    const key = `${page.id} ${entry}`
    const cached = texts.get(key)
    if (cached) read.set(entry, cached)
    else missing.set(entry, key)
  }
  for (const some of chunks([...missing.keys()], ROWS_READ)) {
    const rows = await db
      .selectFrom('searchEntry')
      .select(['id', 'sections'])
      .where('id', 'in', some)
      .execute()
    for (const { id, sections: json } of rows) {
      const own = json === null ? [] : (JSON.parse(json) as PageSection[])
      const searched = searchedSections(own)
      texts.set(missing.get(id)!, searched, searched.bytes)
      read.set(id, searched)
      if (isTurnOver()) await giveTurn()
    }
  }
  return read
}

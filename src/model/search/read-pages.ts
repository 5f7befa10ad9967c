/** Reads pages for the index: their sources, what they include, and the words of both. */
import { hash } from 'node:crypto'
import type { IndexedPage } from '../../core/search/index-pages.ts'
import { mayInclude } from '../../core/search/sections.ts'
import type { EntryChange } from '../../core/content/prolly-tree/read.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { Reader } from '../../db/schema.ts'
import { type Remembering, sourcesOf } from '../content/content.ts'
import { takeImported } from './imported-pages.ts'
import { takeSections } from './imported-sections.ts'
import { includesOf } from './includes.ts'
import { indexInThread } from './index-in-thread.ts'
import type { NewEntry } from './write-pages.ts'

/** The characters of the sources that one task reads. */
const CHARACTERS_AT_ONCE = 200_000

/** Reads the pages that are not indexed as they are, by id. */
export async function readEntries(
  db: Reader,
  index: { number: number; spaceId: string },
  newest: Remembering,
  changes: readonly EntryChange<PageRecord>[],
): Promise<Map<string, NewEntry>> {
  const pages = changes.flatMap(({ after }) => (after && isSearched(after) ? [after] : []))
  const known = await contentsOf(
    db,
    index,
    pages.map(({ id }) => id),
  )
  // A page that is known by its own content alone includes nothing.
  const fresh = pages.filter((page) => known.get(page.id) !== indexedContent(page))
  const entries = new Map<string, NewEntry>()
  const imported = await takeImported(index.spaceId, fresh)
  const possible: PageRecord[] = []
  for (const page of fresh) {
    const entry = imported.get(page.id)
    if (entry) entries.set(page.id, { content: indexedContent(page), entry })
    else possible.push(page)
  }
  const documents = possible.flatMap(({ document }) => document ?? [])
  const parsed = takeSections(index.spaceId, documents)
  const sources = await sourcesOf(
    db,
    index.spaceId,
    documents.filter((document) => !parsed.has(document)),
  )
  const sourceOf = ({ document = '' }: PageRecord) => sources.get(document) ?? ''
  const sectionsOf = ({ document = '' }: PageRecord) => parsed.get(document)
  const including = possible.filter((page) => mayInclude(sourceOf(page)))
  const includes = await includesOf(db, newest, including)
  const pageName = (page: PageRecord) => {
    const included = includes.get(page.id)
    return included ? `${indexedContent(page)} ${included.name}` : indexedContent(page)
  }
  const changed = possible.filter((page) => known.get(page.id) !== pageName(page))
  const groups = groupsOf(changed, (page) => (sectionsOf(page) ?? sourceOf(page)).length)
  const readGroup = async (group: readonly PageRecord[]) => {
    const task = group.map((page): IndexedPage => {
      const { title, description } = page
      const included = includes.get(page.id)
      const own = { title, description, source: sourceOf(page), sections: sectionsOf(page) }
      return included ? { ...own, includes: included.includes } : own
    })
    const read = await indexInThread(db, index.spaceId, task)
    for (const [i, page] of group.entries())
      entries.set(page.id, { content: pageName(page), entry: read[i]! })
  }
  await Promise.all(groups.map(readGroup))
  return entries
}

/** The pages that search finds: those with a text. */
export function isSearched({ type }: PageRecord): boolean {
  return type === 'document'
}

/** Names what is indexed of a page itself. */
function indexedContent({ title, description, document }: PageRecord): string {
  return hash('sha256', JSON.stringify([title, description, document]), 'base64url').slice(0, 22)
}

async function contentsOf(
  db: Reader,
  { number }: { number: number },
  pages: string[],
): Promise<Map<string, string | null>> {
  if (pages.length === 0) return new Map()
  const rows = await db
    .selectFrom('searchEntry')
    .select(['pageId', 'content'])
    .where('number', '=', number)
    .where('pageId', 'in', pages)
    .where('content', 'is not', null)
    .execute()
  return new Map(rows.map(({ pageId, content }) => [pageId, content]))
}

function groupsOf<T>(items: readonly T[], sizeOf: (item: T) => number): T[][] {
  const groups: T[][] = []
  let left = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (groups.length === 0 || size > left) {
      groups.push([])
      left = CHARACTERS_AT_ONCE
    }
    groups.at(-1)!.push(item)
    left -= size
  }
  return groups
}

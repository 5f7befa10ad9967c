/**
 * The entries of pages that computed pages stand for. Each has the id of such a page, and changes with the version of its
 * specification. The index of a space notes the specifications that its computed pages name, so that a new version of one
 * leads to the spaces that show it.
 */
import { hash } from 'node:crypto'
import type { EntryChange } from '../../core/content/prolly-tree/read.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import { giveTurn } from '../../core/runtime/turns.ts'
import { chunks } from '../../db/chunks.ts'
import type { Database, Reader, Tx } from '../../db/schema.ts'
import { pagesOf, type Remembering } from '../content/content.ts'
import { computedIn, computedVersionIn, expandedPagesIn, loadOutline } from '../openapi/computed-pages.ts'
import { sectionsOfSpecPages, type SharedTexts } from '../openapi/search-text.ts'
import { type SpecOutline, type SpecPage, specOf } from '../openapi/spec-pages.ts'
import { indexSections } from './index-in-thread.ts'
import { type NewEntry, PAGES_OF_TRANSACTION, writePages } from './write-pages.ts'

/** The state that an index should have for the computed pages of a revision. */
export interface ComputedState {
  /** The specifications that computed pages name, whether they exist or not. */
  slugs: readonly string[]
  /** Names the pages that the computed pages stand for, with their versions. */
  state: string
  /** The newest versions of the specifications. */
  version: string
}

/** The entries that are read at once. */
const READ_AT_ONCE = 1_000
/** The prefix of the content of these entries. Other entries begin with a hash, which has no space so early. */
const MARK = 'spec '

/**
 * Indexes the pages that the computed pages of a revision stand for, as far as they differ from what is indexed.
 * @returns what is indexed now; undefined if `isOver` ended it
 */
export async function fillComputed(
  db: Database,
  index: { number: number; spaceId: string },
  {
    newest,
    changes,
    isOver,
  }: { newest: Remembering; changes: readonly EntryChange<PageRecord>[]; isOver: () => boolean },
): Promise<ComputedState | undefined> {
  const noted = await notedStates(db.read, index.number)
  // Most spaces have no computed pages: what all of their pages are need not be known.
  const isComputed = (page: PageRecord | undefined) => page?.type === 'computed'
  if (noted.size === 0 && !changes.some(({ before, after }) => isComputed(before) || isComputed(after)))
    return { slugs: [], state: '', version: '' }

  const expanded = await expandedPagesIn(db.read, newest)
  const slugs = slugsIn(await pagesOf(db.read, newest))
  const wanted = new Map<string, string>()
  for (const { page } of expanded.made.values()) {
    const slug = specOf(page.computed) ?? ''
    wanted.set(page.id, computedContent(page, expanded.specs.get(slug)?.lastVersion ?? ''))
  }
  const state = hash('sha256', JSON.stringify([...wanted]), 'hex').slice(0, 32)
  const next = { slugs, state, version: expanded.version }
  if (noted.size === slugs.length && slugs.every((slug) => noted.get(slug) === state)) return next

  const known = await knownContents(db.read, index.number)
  const gone = [...known.keys()].filter((id) => !wanted.has(id))
  for (const some of chunks(gone, PAGES_OF_TRANSACTION)) {
    const toRemove = some.map((id) => ({ id, written: undefined }))
    if (await writePages(db, index.number, toRemove, isOver)) return undefined
  }
  const changed = [...expanded.made.values()].filter(({ page }) => known.get(page.id) !== wanted.get(page.id))
  const words = new Set<string>()
  for (const [slug, pages] of Map.groupBy(changed, ({ page }) => specOf(page.computed) ?? '')) {
    const organizationId = await organizationOf(db.read, index.spaceId)
    const spec = organizationId === undefined ? undefined : await loadOutline(db.read, organizationId, slug)
    // A specification that changes meanwhile is indexed after this.
    if (!spec || spec.lastVersion !== expanded.specs.get(slug)?.lastVersion) continue
    const shared: SharedTexts = new Map()
    for (const some of chunks(pages, PAGES_OF_TRANSACTION)) {
      const entries = await readComputed(db.read, { index, spec, wanted, shared }, some)
      const toWrite = some.map(({ page }) => ({ id: page.id, written: entries.get(page.id) }))
      if (await writePages(db, index.number, toWrite, isOver, words)) return undefined
    }
  }
  return next
}

/** Notes what is indexed of computed pages. */
export async function noteComputed(
  tx: Tx,
  { number }: { number: number },
  { slugs, state }: ComputedState,
): Promise<void> {
  await tx.deleteFrom('searchSpec').where('number', '=', number).execute()
  const rows = slugs.map((slug) => ({ number, slug, state }))
  if (rows.length > 0) await tx.insertInto('searchSpec').values(rows).execute()
}

/** Whether the specifications still have the versions that were indexed. */
export async function isNewestComputed(
  tx: Tx,
  newest: Remembering,
  { slugs, version }: ComputedState,
): Promise<boolean> {
  return slugs.length === 0 || (await computedVersionIn(tx, newest)) === version
}

async function readComputed(
  db: Reader,
  {
    index,
    spec,
    wanted,
    shared,
  }: {
    index: { spaceId: string }
    spec: SpecOutline
    wanted: ReadonlyMap<string, string>
    shared: SharedTexts
  },
  pages: readonly SpecPage[],
): Promise<Map<string, NewEntry>> {
  const sections = await sectionsOfSpecPages(db, spec, pages, shared)
  const read = await indexSections(
    db,
    index.spaceId,
    pages.map(({ page: { id, title } }) => ({ title, sections: JSON.stringify(sections.get(id) ?? []) })),
  )
  return new Map(pages.map(({ page: { id } }, i) => [id, { content: wanted.get(id)!, entry: read[i]! }]))
}

const computedContent = ({ id, title }: PageRecord, version: string) =>
  MARK + hash('sha256', JSON.stringify([id, title, version]), 'base64url').slice(0, 22)

const slugsIn = (tree: PageTree) =>
  [...new Set(computedIn(tree).flatMap(({ computed }) => specOf(computed) ?? []))].toSorted()

async function notedStates(db: Reader, number: number): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('searchSpec')
    .select(['slug', 'state'])
    .where('number', '=', number)
    .execute()
  return new Map(rows.map(({ slug, state }) => [slug, state]))
}

/** The contents of the entries that are pages of specifications, by page. */
async function knownContents(db: Reader, number: number): Promise<Map<string, string>> {
  const contents = new Map<string, string>()
  for (let last = 0, isLeft = true; isLeft; await giveTurn()) {
    const rows = await db
      .selectFrom('searchEntry')
      .select(['id', 'pageId', 'content'])
      .where('number', '=', number)
      .where('id', '>', last)
      .orderBy('id')
      .limit(READ_AT_ONCE)
      .execute()
    for (const { pageId, content } of rows) if (content?.startsWith(MARK)) contents.set(pageId, content)
    last = rows.at(-1)?.id ?? last
    isLeft = rows.length === READ_AT_ONCE
  }
  return contents
}

async function organizationOf(db: Reader, spaceId: string): Promise<string | undefined> {
  const space = await db
    .selectFrom('space')
    .select('organizationId')
    .where('id', '=', spaceId)
    .executeTakeFirst()
  return space?.organizationId
}

/** The stored content of replaced revisions: first all of it, then only the part needed by writes based on them. */
import { diff, type EntryChange, nodesBeyond } from '../../../core/content/prolly-tree/read.ts'
import type { PageRecord, ReusableRecord } from '../../../core/content/revision.ts'
import type { PageTree } from '../../../core/content/tree/tree.ts'
import { chunks } from '../../../db/chunks.ts'
import type { Database, Reader, Row, Tx } from '../../../db/schema.ts'
import { newestOfBurst, parentOfBurst, READABLE_MS } from '../burst.ts'
import { nodesOf, pagesOf, reusablesOf, sourceOf } from '../content.ts'
import { packPage, type PageState, unpackPage } from './replaced-page.ts'

/** How many revisions one transaction sweeps, which is also how long it keeps others waiting. */
const SWEPT_AT_ONCE = 10
const MAPS = ['pages', 'files', 'reusables', 'oldPlaces'] as const

/** A replaced revision whose content is deleted. */
export interface SweptRevision {
  swept: string
  /** The revision before the burst. */
  parent: Row<'revision'>
}

/**
 * The pages and reusable contents of a swept revision, and the texts of those that the burst has changed, by the hash of
 * the document.
 */
export interface SweptPages {
  tree: PageTree
  reusables: ReadonlyMap<string, ReusableRecord>
  texts: ReadonlyMap<string, string>
}

/** A replaced revision of a space, which changes are based on. */
export async function findReplacedBase(
  db: Reader,
  spaceId: string,
  id: string,
): Promise<Row<'revision'> | SweptRevision | undefined> {
  const row = await db
    .selectFrom('replacedRevision')
    .select(['parent', 'content'])
    .where('id', '=', id)
    .where('spaceId', '=', spaceId)
    .executeTakeFirst()
  if (!row) return undefined
  return row.content === null ? { swept: id, parent: await parentRow(db, row.parent) } : rowOf(row.content)
}

/** Reads the pages and reusable contents of a swept revision. */
export async function sweptPages(db: Reader, { swept, parent }: SweptRevision): Promise<SweptPages> {
  const rows = await db
    .selectFrom('replacedPage')
    .select(['pageId', 'data'])
    .where('revisionId', '=', swept)
    .execute()
  const before = await pagesOf(db, parent)
  const reusables = new Map(await reusablesOf(db, parent))
  const records = new Map<string, PageRecord | null>()
  const texts = new Map<string, string>()
  for (const { pageId, data } of rows) {
    const known = before.get(pageId) ?? reusables.get(pageId)
    const was = await stateOf(db, parent.spaceId, known)
    const { record, source } = unpackPage(was, data)
    const isPage = [record, known].some((one) => one && 'type' in one)
    if (isPage) records.set(pageId, record as PageRecord | null)
    else if (record) reusables.set(pageId, record)
    else reusables.delete(pageId)
    if (record?.document !== undefined) texts.set(record.document, source)
  }
  return { tree: before.apply(records), reusables, texts }
}

/**
 * Deletes the content of the revisions of a burst that were replaced more than a minute ago, and keeps the difference of
 * their pages and reusable contents.
 */
export async function sweepBurst(db: Database, burst: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - READABLE_MS).toISOString()
  for (;;) {
    const due = await db.read
      .selectFrom('replacedRevision')
      .select('content')
      .where('burst', '=', burst)
      .where('replacedAt', '<=', before)
      .where('content', 'is not', null)
      .orderBy('replacedAt')
      .orderBy('id')
      .limit(SWEPT_AT_ONCE)
      .execute()
    if (due.length === 0) return
    const swept: PackedRevision[] = []
    for (const { content } of due) swept.push(await packed(db.read, rowOf(content)))
    await db.write(async (tx) => {
      for (const one of swept) await storePages(tx, one)
      await deleteUnused(tx, burst)
    })
  }
}

/** Deletes what the saves of a burst left behind, when no write can be based on its replaced revisions any more. */
export async function forgetBurst(tx: Tx, burst: string): Promise<void> {
  await deleteUnused(tx, burst)
  await forget(tx, 'burst', burst)
}

/** Deletes what the saves of all bursts of a space left behind. */
export function forgetBursts(tx: Tx, spaceId: string): Promise<void> {
  return forget(tx, 'spaceId', spaceId)
}

async function forget(tx: Tx, by: 'burst' | 'spaceId', id: string): Promise<void> {
  const replaced = tx.selectFrom('replacedRevision').select('id').where(by, '=', id)
  await tx.deleteFrom('replacedPage').where('revisionId', 'in', replaced).execute()
  await tx.deleteFrom('replacedRevision').where(by, '=', id).execute()
  await tx.deleteFrom('burstContent').where(by, '=', id).execute()
}

interface PackedRevision {
  id: string
  pages: { revisionId: string; pageId: string; data: Uint8Array }[]
}

async function packed(db: Reader, revision: Row<'revision'>): Promise<PackedRevision> {
  const { id, spaceId } = revision
  const parent = await parentRow(db, parentOfBurst(revision))
  const pages: PackedRevision['pages'] = []
  for (const { key, before, after } of await documentChanges(db, parent, revision)) {
    const [was, is] = [await stateOf(db, spaceId, before), await stateOf(db, spaceId, after)]
    pages.push({ revisionId: id, pageId: key, data: await packPage(was, is) })
  }
  return { id, pages }
}

async function storePages(tx: Tx, { id, pages }: PackedRevision): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('replacedRevision')
    .set({ content: null })
    .where('id', '=', id)
    .where('content', 'is not', null)
    .executeTakeFirst()
  // Another server has swept it meanwhile.
  if (numUpdatedRows === 0n) return
  if (pages.length > 0) await tx.insertInto('replacedPage').values(pages).execute()
}

/**
 * Deletes the nodes and documents that a burst has stored, and that no revision of it contains any more. The documents of
 * comments on blocks stay, because the blocks are followed from them.
 */
async function deleteUnused(tx: Tx, burst: string): Promise<void> {
  const newest = await newestOfBurst(tx, burst)
  if (!newest) return
  const { spaceId } = newest
  const parent = await parentRow(tx, parentOfBurst(newest))
  const others = await tx
    .selectFrom('replacedRevision')
    .select('content')
    .where('burst', '=', burst)
    .where('content', 'is not', null)
    .execute()
  const used = { node: new Set<string>(), document: await commentedDocuments(tx, newest) }
  for (const revision of [newest, ...others.map(({ content }) => rowOf(content))]) {
    for (const map of MAPS) {
      const nodes = await nodesBeyond(parent[map], revision[map], nodesOf(tx, spaceId))
      for (const hash of nodes) used.node.add(hash)
    }
    for (const { after } of await documentChanges(tx, parent, revision))
      if (after?.document !== undefined) used.document.add(after.document)
  }

  const stored = await tx
    .selectFrom('burstContent')
    .select(['kind', 'hash'])
    .where('burst', '=', burst)
    .execute()
  for (const kind of ['node', 'document'] as const) {
    const unused = stored.flatMap((row) => (row.kind === kind && !used[kind].has(row.hash) ? row.hash : []))
    for (const some of chunks(unused)) {
      await tx
        .deleteFrom('burstContent')
        .where('spaceId', '=', spaceId)
        .where('kind', '=', kind)
        .where('hash', 'in', some)
        .execute()
      await tx.deleteFrom(kind).where('spaceId', '=', spaceId).where('hash', 'in', some).execute()
    }
  }
}

async function commentedDocuments(tx: Tx, { changeRequestId }: Row<'revision'>): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('comment')
    .select('page')
    .where('changeRequestId', '=', changeRequestId)
    .where('nodeId', 'is not', null)
    .execute()
  return new Set(
    rows.flatMap(({ page }) => (JSON.parse(page ?? '{}') as { document?: string }).document ?? []),
  )
}

/** The pages and reusable contents that differ. */
async function documentChanges(
  db: Reader,
  parent: Row<'revision'>,
  { spaceId, pages, reusables }: Row<'revision'>,
): Promise<EntryChange<PageRecord | ReusableRecord>[]> {
  return [
    ...(await diff<PageRecord>(parent.pages, pages, nodesOf(db, spaceId))),
    ...(await diff<ReusableRecord>(parent.reusables, reusables, nodesOf(db, spaceId))),
  ]
}

async function stateOf(
  db: Reader,
  spaceId: string,
  record: PageRecord | ReusableRecord | undefined,
): Promise<PageState> {
  return { record: record ?? null, source: await sourceOf(db, spaceId, record?.document) }
}

function parentRow(db: Reader, id: string): Promise<Row<'revision'>> {
  return db.selectFrom('revision').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

const rowOf = (content: string | null) => JSON.parse(content ?? '') as Row<'revision'>

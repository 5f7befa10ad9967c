import type { SentChange } from '../../../core/content/batch/read.ts'
import type { Targets } from '../../../core/content/links.ts'
import type { PageVersion, WritingTo } from '../../../core/content/edit/write-page.ts'
import { jsonEqual } from '../../../core/data/json.ts'
import type { PageRecord, ReusableRecord } from '../../../core/content/revision.ts'
import type { PageTree } from '../../../core/content/tree/tree.ts'
import type { Reader, Row } from '../../../db/schema.ts'
import { PrepareAgain } from '../../../http/errors.ts'
import type { LoadedBatch } from './batch-content.ts'
import { linkTargetsOf, pagesOf, reusablesOf } from '../content.ts'
import { sweptPages, type SweptRevision } from './replaced.ts'
import { resolvedSources } from '../resolved-source.ts'

/** The pages and reusable contents that a batch writes to, by the index of the change. */
export type PagesWrittenTo = ReadonlyMap<number, WritingTo>

/**
 * Loads the pages and reusable contents whose blocks a batch writes and, if the writer names the revision that the batch
 * is based on, every one that it updates or deletes.
 */
export async function pagesWrittenTo(
  db: Reader,
  batch: LoadedBatch,
  base: Row<'revision'> | SweptRevision | undefined,
  changes: readonly SentChange[],
): Promise<PagesWrittenTo> {
  const behind = base && !('id' in base && base.id === batch.parent.id) ? base : undefined
  const wanted = changes.flatMap((change, index) => {
    const { operation } = change
    if (!/^(?:update|delete)_(?:page|reusable_content)$/.test(operation)) return []
    const page = 'page' in change ? change.page : 'reusableContent' in change ? change.reusableContent : ''
    const document = 'document' in change ? change.document : undefined
    const hasBlocks = document?.blocks !== undefined || document?.document !== undefined
    if (!base && !hasBlocks) return []
    const hasText =
      hasBlocks || (behind !== undefined && (document !== undefined || operation.startsWith('delete')))
    return [{ index, page, hasBlocks, hasText }]
  })
  if (wanted.length === 0) return new Map()
  const current = await versionsOf(db, batchPages(db, batch), wanted)
  // A conflict about a page that others deleted has its text.
  const gone = wanted.map((one) => ({ ...one, hasText: one.hasText || !current.has(one.page) }))
  const before = behind && (await versionsOf(db, await baseContent(db, behind, batch.parent), gone))
  return new Map(
    wanted.map(({ index, page, hasBlocks }) => {
      const is = current.get(page)
      // A write on the newest revision merges nothing, but another may come between this and the transaction.
      const was = behind ? before?.get(page) : base && !hasBlocks ? is : undefined
      const unread = behind && is && !was ? ('swept' in behind ? behind.swept : behind.id) : undefined
      const to: WritingTo = { ...(is && { current: is }), ...(was && { base: was }) }
      return [index, { ...to, ...(unread !== undefined && { unread }) }]
    }),
  )
}

/** The pages and reusable contents of a revision, with what their references mean. */
interface PagesAt {
  spaceId: string
  tree: PageTree
  reusables: ReadonlyMap<string, ReusableRecord>
  targets(): Promise<Targets>
  /** The texts of documents that are not stored, by hash. */
  texts?: ReadonlyMap<string, string>
}

function batchPages(
  db: Reader,
  { parent, tree, reusables }: Pick<LoadedBatch, 'parent' | 'tree' | 'reusables'>,
): PagesAt {
  return { spaceId: parent.spaceId, tree, reusables, targets: () => linkTargetsOf(db, parent, tree) }
}

async function contentAt(db: Reader, revision: Row<'revision'>): Promise<PagesAt> {
  const [tree, reusables] = [await pagesOf(db, revision), await reusablesOf(db, revision)]
  return batchPages(db, { parent: revision, tree, reusables })
}

/** @param newest whose files stand for those of a swept revision, which has kept none */
async function baseContent(
  db: Reader,
  base: Row<'revision'> | SweptRevision,
  newest: Row<'revision'>,
): Promise<PagesAt> {
  if (!('swept' in base)) return contentAt(db, base)
  const { texts, ...kept } = await sweptPages(db, base)
  return { spaceId: newest.spaceId, ...kept, targets: () => linkTargetsOf(db, newest, kept.tree), texts }
}

/** The pages and reusable contents of a revision by id; those whose text is not wanted have none. */
async function versionsOf(
  db: Reader,
  { spaceId, tree, reusables, targets, texts: known }: PagesAt,
  wanted: readonly { page: string; hasText: boolean }[],
): Promise<Map<string, PageVersion>> {
  const records = new Map(
    wanted.flatMap(({ page }) => tree.get(page) ?? reusables.get(page) ?? []).map((one) => [one.id, one]),
  )
  const texts = [...new Set(wanted.flatMap(({ page, hasText }) => (hasText ? page : [])))].flatMap(
    (page) => records.get(page) ?? [],
  )
  const sources =
    texts.length === 0
      ? []
      : await resolvedSources(db, { spaceId }, await targets(), texts.map(documentPlace), known)
  const versions = new Map<string, PageVersion>()
  for (const record of records.values())
    versions.set(record.id, { record, source: '', references: new Map() })
  texts.forEach((record, i) => {
    const { source, references } = sources[i]!
    versions.set(record.id, { record, source, references })
  })
  return versions
}

const documentPlace = (record: PageRecord | ReusableRecord) => ({
  document: record.document,
  file: 'type' in record ? record.file : record.path,
})

/**
 * Refuses what was prepared for other pages than those that the content has now.
 * @throws PrepareAgain
 */
export function needSamePages(
  { tree, reusables }: Pick<PagesAt, 'tree' | 'reusables'>,
  pages: PagesWrittenTo,
): void {
  for (const { current, base } of pages.values()) {
    if (!current) continue
    const { id } = current.record
    const now = tree.get(id) ?? reusables.get(id)
    if (!now) throw new PrepareAgain()
    const isSame = base ? jsonEqual(now, current.record) : now.document === current.record.document
    if (!isSame) throw new PrepareAgain()
  }
}

/** Lets comments on blocks follow them when a batch writes their page, step by step, so that they follow far. */
import type { ReadChange } from '../../core/content/batch/read.ts'
import { documentHash } from '../../core/content/hash.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import { jsonEqual } from '../../core/data/json.ts'
import type { Reader, Tx } from '../../db/schema.ts'
import { followInto, knownBlocks } from '../content/compared-pages.ts'
import { sourceOf } from '../content/content.ts'
import { followedNode } from './comment-target.ts'

/** The content that a batch changes: that of a change request, or the primary content of a space. */
export interface CommentedLine {
  spaceId: string
  changeRequestId: string | null
}

/** A query for the comments on blocks of pages of a content. */
function commentsOnBlocks(db: Reader, { spaceId, changeRequestId }: CommentedLine, pages: readonly string[]) {
  return db
    .selectFrom('comment')
    .where('spaceId', '=', spaceId)
    .where('changeRequestId', changeRequestId === null ? 'is' : '=', changeRequestId)
    .where('pageId', 'in', pages)
    .where('nodeId', 'is not', null)
}

/**
 * Follows the blocks of commented pages into the texts that a batch writes, before its transaction.
 * @param tree the pages before the batch
 */
export async function prepareFollowing(
  context: { db: Reader; signal: AbortSignal },
  line: CommentedLine,
  tree: PageTree,
  changes: readonly ReadChange[],
): Promise<void> {
  const written = changes.flatMap((change) => {
    const body = change.operation === 'update_page' ? change.body : undefined
    const isText = body?.kind === 'written' || body?.kind === 'markdown'
    return change.operation === 'update_page' && isText ? [{ page: change.page, source: body.source }] : []
  })
  if (written.length === 0) return
  const pages = written.map(({ page }) => page)
  const rows = await commentsOnBlocks(context.db, line, pages).select('pageId').distinct().execute()
  if (rows.length === 0) return
  const commented = new Set(rows.map(({ pageId }) => pageId))
  for (const { page, source } of written) {
    const document = tree.get(page)?.document
    if (document === undefined || !commented.has(page)) continue
    const before = await sourceOf(context.db, line.spaceId, document)
    const versions = { before: document, after: documentHash(source) }
    await followInto(context, line.spaceId, versions, { before, after: source })
  }
}

/**
 * Moves the comments on blocks of the pages that a batch has written. Comments whose blocks are not known are followed when
 * they are read.
 * @param tree the pages before the batch
 */
export async function followComments(
  tx: Tx,
  line: CommentedLine,
  tree: PageTree,
  pages: ReadonlyMap<string, PageRecord | null>,
): Promise<void> {
  for (const [id, page] of pages) {
    const before = tree.get(id)?.document
    if (before === undefined || page?.document === undefined || page.document === before) continue
    const blocks = knownBlocks({ before, after: page.document })
    if (!blocks) continue
    const rows = await commentsOnBlocks(tx, line, [id]).select(['id', 'page', 'nodeId', 'range']).execute()
    for (const row of rows) {
      const kept = JSON.parse(row.page ?? '{}') as { document?: string }
      if (kept.document !== before || row.nodeId === null) continue
      const range = row.range === null ? undefined : (JSON.parse(row.range) as { start: number; end: number })
      const node = followedNode({ id: row.nodeId, ...(range && { range }) }, blocks)
      if (!node) continue
      // A part of which nothing is left stays as it was, in case that it comes back.
      if (range && !node.range) continue
      const changed = {
        page: JSON.stringify({ ...kept, document: page.document }),
        nodeId: node.id,
        range: jsonEqual(range, node.range) ? row.range : JSON.stringify(node.range),
      }
      await tx.updateTable('comment').set(changed).where('id', '=', row.id).execute()
    }
  }
}

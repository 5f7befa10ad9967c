import type { BatchContent } from '../../core/content/batch/apply.ts'
import type { ReadChange } from '../../core/content/batch/read.ts'
import type { Variables } from '../../core/content/revision.ts'
import type { PageTree } from '../../core/content/tree/tree.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { filesOf, pagesOf, reusablesOf, sourcesOf } from './content.ts'

/** Loads the content that a batch reads and changes: that of a revision, and that to which the batch reverts. */
export async function loadBatchContent(
  db: Reader,
  parent: Row<'revision'>,
  changes: readonly ReadChange[],
  base: string | undefined,
): Promise<Omit<BatchContent, 'revertBlocks'>> {
  const { spaceId } = parent
  const tree = await pagesOf(db, parent)
  const reverts = changes.flatMap((change) => (change.operation === 'revert_page' ? [change] : []))
  const revisions = await treesOf(
    db,
    spaceId,
    new Set(reverts.flatMap(({ revision = base }) => revision ?? [])),
  )

  const named = changes.flatMap((change) => ('page' in change ? [change.page] : []))
  const documents = [tree, ...revisions.values()].flatMap((one) =>
    named.flatMap((id) => one.get(id)?.document ?? []),
  )
  const reusables = await reusablesOf(db, parent)
  const included = changes.flatMap((change) =>
    'reusableContent' in change ? (reusables.get(change.reusableContent)?.document ?? []) : [],
  )
  const sources = await sourcesOf(db, spaceId, [...documents, ...included])
  return {
    tree,
    revisions,
    base,
    files: await filesOf(db, parent),
    reusables,
    variables: JSON.parse(parent.variables) as Variables,
    redirects: JSON.parse(parent.redirects) as Record<string, string>,
    source(hash) {
      if (hash === undefined) return ''
      const source = sources.get(hash)
      if (source === undefined) throw new Error(`The document ${hash} was not loaded for the batch`)
      return source
    },
  }
}

/** The page trees of these revisions, without revisions that are not in the space. */
async function treesOf(
  db: Reader,
  spaceId: string,
  ids: ReadonlySet<string>,
): Promise<Map<string, PageTree>> {
  if (ids.size === 0) return new Map()
  const rows = await db
    .selectFrom('revision')
    .selectAll()
    .where('spaceId', '=', spaceId)
    .where('id', 'in', [...ids])
    .execute()
  const trees = new Map<string, PageTree>()
  for (const row of rows) trees.set(row.id, await pagesOf(db, row))
  return trees
}

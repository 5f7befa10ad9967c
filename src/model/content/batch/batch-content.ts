import type { BatchContent } from '../../../core/content/batch/apply.ts'
import type { ReadChange } from '../../../core/content/batch/read.ts'
import type { SpaceState } from '../../../core/content/batch/since.ts'
import type { ReusableRecord, Variables } from '../../../core/content/revision.ts'
import type { PageTree } from '../../../core/content/tree/tree.ts'
import type { Reader, Row } from '../../../db/schema.ts'
import { needRevision } from '../commit.ts'
import { filesOf, pagesOf, reusablesOf, sourcesOf } from '../content.ts'

/** The revision that a batch changes, with its content. */
export interface LoadedBatch extends Required<SpaceState> {
  parent: Row<'revision'>
  reusables: ReadonlyMap<string, ReusableRecord>
  /** The revision that `revert_page` uses by default. */
  base: string | undefined
}

/**
 * Loads the revision that a batch changes.
 * @param base the revision that `revert_page` uses by default
 * @throws 404
 */
export async function loadBatch(
  db: Reader,
  spaceId: string,
  { revisionId, base }: { revisionId: string; base?: string },
): Promise<LoadedBatch> {
  const parent = await needRevision(db, spaceId, revisionId)
  return { parent, ...(await spaceState(db, parent)), reusables: await reusablesOf(db, parent), base }
}

/** Reads the parts of a revision that a batch can change without writing to a text. */
export async function spaceState(db: Reader, revision: Row<'revision'>): Promise<Required<SpaceState>> {
  return {
    tree: await pagesOf(db, revision),
    files: await filesOf(db, revision),
    variables: JSON.parse(revision.variables) as Variables,
    redirects: JSON.parse(revision.redirects) as Record<string, string>,
  }
}

/** Loads what the changes of a batch read besides its revision: texts, and the page trees to revert to. */
export async function loadBatchContent(
  db: Reader,
  { parent: { spaceId }, tree, files, reusables, variables, redirects, base }: LoadedBatch,
  changes: readonly ReadChange[],
): Promise<Omit<BatchContent, 'revertBlocks'>> {
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
  const included = changes.flatMap((change) =>
    'reusableContent' in change ? (reusables.get(change.reusableContent)?.document ?? []) : [],
  )
  const sources = await sourcesOf(db, spaceId, [...documents, ...included])
  return {
    tree,
    revisions,
    base,
    files,
    reusables,
    variables,
    redirects,
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

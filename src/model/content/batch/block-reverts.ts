import type { ReadChange } from '../../../core/content/batch/read.ts'
import {
  type BlockRevert,
  type RevertedBlocks,
  revertBlocks,
  revertBlocksTask,
} from '../../../core/content/batch/revert.ts'
import { documentHash } from '../../../core/content/hash.ts'
import { isQuick } from '../../../core/document/quick.ts'
import type { Reader, Row } from '../../../db/schema.ts'
import { invalidField, PrepareAgain } from '../../../http/errors.ts'
import { type LoadedBatch, loadBatchContent } from './batch-content.ts'
import { inThread, type TaskKind, tookTooMuch } from '../in-thread.ts'
import { because } from '../../../core/languages/reasons.ts'

/** Blocks of large pages that were reverted in a thread, before the transaction. */
export interface PreparedReverts {
  /** The revision that the batch was prepared for. */
  revision: string
  results: ReadonlyMap<string, RevertedBlocks>
}

const REVERT_BLOCKS: TaskKind<readonly BlockRevert[], RevertedBlocks[]> = {
  module: new URL('../../../core/content/batch/revert.ts', import.meta.url),
  name: 'revertBlocksTask',
  timeMs: 10_000,
}

/**
 * Reverts the blocks that a batch names in large pages, where it delays nobody.
 * @returns undefined if the batch reverts no blocks
 * @throws 400 if it takes too long, 503
 */
export async function prepareReverts(
  { db, signal }: { db: Reader; signal: AbortSignal },
  batch: LoadedBatch,
  changes: readonly ReadChange[],
): Promise<PreparedReverts | undefined> {
  const named = changes.flatMap((change) =>
    change.operation === 'revert_page' && change.blocks !== undefined
      ? [{ ...change, keys: change.blocks }]
      : [],
  )
  if (named.length === 0) return undefined
  const { parent, base } = batch
  const content = await loadBatchContent(db, batch, changes)
  const large = named
    .flatMap(({ page, revision = base, keys }): BlockRevert[] => {
      const is = content.tree.get(page)
      const was = revision === undefined ? undefined : content.revisions.get(revision)?.get(page)
      if (!is || !was) return []
      const { title } = is
      return [{ title, source: content.source(is.document), before: content.source(was.document), keys }]
    })
    .filter((revert) => !areQuick(revert))
  if (large.length === 0) return { revision: parent.id, results: new Map() }
  const work = { db, spaceId: parent.spaceId, sources: 'slow', signal } as const
  try {
    const results = await inThread(REVERT_BLOCKS, revertBlocksTask, large, work)
    return {
      revision: parent.id,
      results: new Map(large.map((revert, i) => [revertKey(revert), results[i]!])),
    }
  } catch (error) {
    if (!tookTooMuch(error)) throw error
    throw invalidField('body.changes', because('revert-too-slow'))
  }
}

/** Reverts blocks in the transaction: those of small pages, and of the others what was prepared. */
export function blockReverter(
  parent: Row<'revision'>,
  prepared: PreparedReverts | undefined,
): (revert: BlockRevert) => RevertedBlocks {
  return (revert) => {
    const known = prepared?.results.get(revertKey(revert))
    if (known) return known
    if (areQuick(revert)) return revertBlocks(revert)
    if (prepared?.revision !== parent.id) throw new PrepareAgain()
    throw invalidField('body.changes', because('revert-after-edit'))
  }
}

const areQuick = ({ source, before }: BlockRevert) => isQuick(`${source}\n${before}`)

const revertKey = ({ source, before, keys }: BlockRevert) =>
  JSON.stringify([documentHash(source), documentHash(before), keys])

import type { Kysely } from 'kysely'
import { Type } from 'typebox'
import type { BlockChange, FollowedBlock } from '../../core/content/edit/block-diff.ts'
import { blockDiffJson, followBlocksTask, type VersionsTask } from '../../core/content/edit/compare-task.ts'
import { heapSize } from '../../core/runtime/heap-size.ts'
import { lru } from '../../core/data/lru.ts'
import type { Reader, Schema } from '../../db/schema.ts'
import { unavailable } from '../../http/errors.ts'
import { fromJson } from '../../http/response/json-parts.ts'
import { sourcesOf } from './content.ts'
import { inThread, type TaskKind, tookTooMuch } from './in-thread.ts'
import { because } from '../../core/languages/reasons.ts'

const module = new URL('../../core/content/edit/compare-task.ts', import.meta.url)
const BLOCK_DIFF: TaskKind<VersionsTask, string> = { module, name: 'blockDiffJson', timeMs: 10_000 }
const FOLLOW_BLOCKS: TaskKind<VersionsTask, Map<string, FollowedBlock>> = {
  module,
  name: 'followBlocksTask',
  timeMs: 10_000,
}

/** Keyed by hashes of the contents, so never stale. */
const diffs = lru<string>(8 * 1024 * 1024, 'page-diffs')
const followed = lru<ReadonlyMap<string, FollowedBlock>>(8 * 1024 * 1024)

const Range = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 })

/** A block of a page in the difference of two versions. */
export const BlockChangeSchema = Type.Unsafe<BlockChange>(
  Type.Object(
    {
      change: Type.String({ enum: ['same', 'moved', 'inserted', 'deleted', 'changed'] }),
      before: Type.Optional(Type.String({ description: 'The key of the block in the earlier version' })),
      after: Type.Optional(Type.String({ description: 'Its key in the later version' })),
      moved: Type.Optional(Type.Boolean({ description: 'A changed block that also has another place' })),
      words: Type.Optional(
        Type.Array(Type.Object({ before: Range, after: Range }), {
          description:
            'The ranges that differ in the texts of all leaves of the block, in UTF-16 units; the end is not included',
        }),
      ),
      blocks: Type.Optional(
        Type.Array(Type.Object({}, { additionalProperties: true }), {
          description: 'The changes of the blocks within a block',
        }),
      ),
    },
    { title: 'BlockChange' },
  ),
)
/** The documents of two versions of a page; undefined for an empty one. */
export interface Versions {
  before: string | undefined
  after: string | undefined
}

/** The differences between two stored documents of a space, as JSON already. @throws 503 if they take too long */
export async function blockDiffOf(db: Reader, spaceId: string, versions: Versions): Promise<BlockChange[]> {
  const key = `${versions.before} ${versions.after}`
  const known = diffs.get(key)
  if (known !== undefined) return fromJson(known)
  try {
    const task = await textsOf(db, spaceId, versions)
    const sources = [task.before, task.after]
    const text = await inThread(BLOCK_DIFF, blockDiffJson, task, { db, spaceId, sources })
    diffs.set(key, text, 2 * text.length)
    return fromJson(text)
  } catch (error) {
    throw tookTooMuch(error) ? unavailable(because('compare-too-slow')) : error
  }
}

/**
 * The blocks of a stored document in a later one, by their keys. Undefined if one of the documents is gone, or if they take
 * too long to compare. A transaction must not wait for that, so `prepare` asks first.
 */
export async function blocksFollowed(
  db: Reader,
  spaceId: string,
  versions: Versions,
): Promise<ReadonlyMap<string, FollowedBlock> | undefined> {
  const key = `${versions.before} ${versions.after}`
  const known = followed.get(key)
  if (known) return known
  const { before, after } = await textsOf(db, spaceId, versions)
  if (before === '' || after === '') return undefined
  const isWriting = (db as Kysely<Schema>).isTransaction
  try {
    const work = { db, spaceId, sources: isWriting ? ('quick' as const) : [before, after] }
    const blocks = await inThread(FOLLOW_BLOCKS, followBlocksTask, { before, after }, work)
    followed.set(key, blocks, heapSize([...blocks]))
    return blocks
  } catch (error) {
    if (tookTooMuch(error)) return undefined
    throw error
  }
}

/** Follows the blocks of a stored document into a text that is not stored yet, so that a transaction knows them. */
export async function followInto(
  { db, signal }: { db: Reader; signal: AbortSignal },
  spaceId: string,
  versions: Versions,
  task: VersionsTask,
): Promise<void> {
  const key = `${versions.before} ${versions.after}`
  if (followed.get(key)) return
  try {
    const work = { db, spaceId, sources: [task.before, task.after], signal }
    const blocks = await inThread(FOLLOW_BLOCKS, followBlocksTask, task, work)
    followed.set(key, blocks, heapSize([...blocks]))
  } catch (error) {
    // Then the comments of the page are followed when they are read.
    if (!tookTooMuch(error)) throw error
  }
}

/** Returns the cached blocks of a stored document in a later one, without comparing them; undefined if not cached. */
export function knownBlocks({ before, after }: Versions): ReadonlyMap<string, FollowedBlock> | undefined {
  return followed.get(`${before} ${after}`)
}

async function textsOf(db: Reader, spaceId: string, { before, after }: Versions): Promise<VersionsTask> {
  const sources = await sourcesOf(db, spaceId, [before ?? [], after ?? []].flat())
  return { before: sources.get(before ?? '') ?? '', after: sources.get(after ?? '') ?? '' }
}

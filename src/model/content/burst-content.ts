/**
 * The content that bursts of saves have stored. Revisions of a space share nodes and documents by their hashes, so the
 * content of a replaced revision can be deleted only if nothing else contains it. Every write therefore reports the
 * content that it stores. Content that a burst is the first to store is recorded. The record is deleted as soon as a
 * write outside of the burst names the content.
 */
import { chunks } from '../../db/chunks.ts'
import type { Row, Tx } from '../../db/schema.ts'

/** Rows of one kind that a write has stored. */
export interface NotedContent {
  spaceId: string
  kind: Row<'burstContent'>['kind']
  /** The hashes that the write names. */
  hashes: readonly string[]
  /** Those that the space did not have before. */
  added: readonly string[]
  /** The burst of the write. */
  burst: string | undefined
}

/** Records what a burst is the first to store, and keeps for good what others name too. */
export async function noteStored(
  tx: Tx,
  { spaceId, kind, hashes, added, burst }: NotedContent,
): Promise<void> {
  if (burst !== undefined) {
    for (const some of chunks(added)) {
      await tx
        .insertInto('burstContent')
        .values(some.map((hash) => ({ spaceId, kind, hash, burst })))
        .execute()
    }
  }
  const isNew = new Set(added)
  const present = hashes.filter((hash) => !isNew.has(hash))
  for (const some of chunks(present)) {
    const noted = tx
      .deleteFrom('burstContent')
      .where('spaceId', '=', spaceId)
      .where('kind', '=', kind)
      .where('hash', 'in', some)
    await (burst === undefined ? noted : noted.where('burst', '!=', burst)).execute()
  }
}

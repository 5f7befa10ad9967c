import { buffer } from 'node:stream/consumers'
import type { BlobContent, Blobs } from '../../../blobs/blobs.ts'
import { type Dimensions, imageSize, LOOKED_AT } from '../../../core/web/dimensions.ts'
import { shownType } from '../../../core/web/signature.ts'
import { chunks } from '../../../db/chunks.ts'
import type { Tx } from '../../../db/schema.ts'

/** Bytes in the blob store, with their detected properties. */
export interface StoredBytes {
  hash: string
  /** The size in bytes. */
  size: number
  dimensions?: Dimensions
  /** The content type detected from the bytes. */
  shown?: string
}

/** Stored bytes that a space uses, with the content type of their file. */
export type UsedBytes = Pick<StoredBytes, 'hash' | 'size'> & { contentType: string }

/**
 * Stores bytes, and measures them if they are an image. Call it outside a transaction. A job removes bytes that stay
 * unused. @throws `BlobTooLarge`
 */
export async function storeBytes(
  blobs: Blobs,
  content: BlobContent,
  options: { maxBytes?: number } = {},
): Promise<StoredBytes> {
  return measured(blobs, await blobs.put(content, options))
}

/** Stored bytes with the type and dimensions detected from their first bytes. */
export async function measured(
  blobs: Blobs,
  { hash, size }: { hash: string; size: number },
): Promise<StoredBytes> {
  const start = await blobs.get(hash, { start: 0, end: LOOKED_AT })
  return { hash, size, ...(start ? seen(await buffer(start.stream)) : {}) }
}

/** Detects the type and dimensions of a file from its first bytes. */
export function seen(start: Uint8Array): Pick<StoredBytes, 'dimensions' | 'shown'> {
  const dimensions = imageSize(start)
  const shown = shownType(start)
  return { ...(dimensions ? { dimensions } : {}), ...(shown === undefined ? {} : { shown }) }
}

/** Records that a space uses stored bytes, so that they are not removed. */
export async function useBlobs(tx: Tx, spaceId: string, files: readonly UsedBytes[]): Promise<void> {
  const byHash = new Map(
    files.map(({ hash, size, contentType }) => [hash, { hash, spaceId, size, contentType }]),
  )
  for (const some of chunks([...byHash.values()])) {
    await tx
      .insertInto('spaceBlob')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

import { buffer } from 'node:stream/consumers'
import type { BlobContent, Blobs } from '../blobs/blobs.ts'
import { type Dimensions, imageSize, LOOKED_AT } from '../core/repository/dimensions.ts'
import type { Tx } from '../db/schema.ts'

/** Bytes in the blob store, and what they show. */
export interface StoredBytes {
  hash: string
  /** In bytes. */
  size: number
  dimensions?: Dimensions
}

/**
 * Stores bytes and measures them if they are an image; outside a transaction. What nothing comes to use is removed in
 * time. @throws `BlobTooLarge`
 */
export async function storeBytes(
  blobs: Blobs,
  content: BlobContent,
  options: { maxBytes?: number } = {},
): Promise<StoredBytes> {
  return measured(blobs, await blobs.put(content, options))
}

/** Stored bytes with the dimensions that their beginning tells of. */
export async function measured(
  blobs: Blobs,
  { hash, size }: { hash: string; size: number },
): Promise<StoredBytes> {
  const start = await blobs.get(hash, { start: 0, end: LOOKED_AT })
  const dimensions = start && imageSize(await buffer(start.stream))
  return { hash, size, ...(dimensions ? { dimensions } : {}) }
}

/** Remembers that a space uses stored bytes, so that they stay. */
export async function useBlobs(
  tx: Tx,
  spaceId: string,
  files: readonly Pick<StoredBytes, 'hash' | 'size'>[],
): Promise<void> {
  const sizes = new Map(files.map(({ hash, size }) => [hash, size]))
  for (const [hash, size] of sizes) {
    await tx
      .insertInto('spaceBlob')
      .values({ hash, spaceId, size })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

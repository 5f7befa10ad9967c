import { buffer } from 'node:stream/consumers'
import type { BlobContent, Blobs } from '../blobs/blobs.ts'
import { type Dimensions, imageSize, LOOKED_AT } from '../core/repository/dimensions.ts'
import { shownType } from '../core/repository/signature.ts'
import type { Tx } from '../db/schema.ts'

/** Bytes in the blob store, and what they show. */
export interface StoredBytes {
  hash: string
  /** In bytes. */
  size: number
  dimensions?: Dimensions
  /** The content type that they show by themselves. */
  shown?: string
}

/** Stored bytes that a space uses, with the type of the file that they are. */
export type UsedBytes = Pick<StoredBytes, 'hash' | 'size'> & { contentType: string }

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

/** Stored bytes with the dimensions and the type that their beginning tells of. */
export async function measured(
  blobs: Blobs,
  { hash, size }: { hash: string; size: number },
): Promise<StoredBytes> {
  const start = await blobs.get(hash, { start: 0, end: LOOKED_AT })
  return { hash, size, ...(start ? seen(await buffer(start.stream)) : {}) }
}

/** What the beginning of a file tells of it. */
export function seen(start: Uint8Array): Pick<StoredBytes, 'dimensions' | 'shown'> {
  const dimensions = imageSize(start)
  const shown = shownType(start)
  return { ...(dimensions ? { dimensions } : {}), ...(shown === undefined ? {} : { shown }) }
}

/** Remembers that a space uses stored bytes, so that they stay. */
export async function useBlobs(tx: Tx, spaceId: string, files: readonly UsedBytes[]): Promise<void> {
  const byHash = new Map(files.map((file) => [file.hash, file]))
  for (const { hash, size, contentType } of byHash.values()) {
    await tx
      .insertInto('spaceBlob')
      .values({ hash, spaceId, size, contentType })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

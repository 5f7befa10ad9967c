import { join } from 'node:path'
import type { Blobs } from './blobs.ts'
import { openDiskBlobs } from './disk.ts'
import type { S3Options } from './s3.ts'

/** The configured store: the S3 bucket if there is one, otherwise the folder `blobs` in the data folder. */
export async function openBlobs({ data, s3 }: { data: string; s3: S3Options | undefined }): Promise<Blobs> {
  return s3 ? (await import('./s3.ts')).s3Blobs(s3) : openDiskBlobs(join(data, 'blobs'))
}

import type { Services } from '../http/route.ts'
import { expireUpload } from './expire-upload.ts'
import { purgeSpace } from './purge-space.ts'
import type { Worker } from './queue.ts'
import { removeBlob } from './remove-blob.ts'
import { sendLetter } from './send-letter.ts'
import { sweepBlobs } from './sweep-blobs.ts'

/** Every kind of job, with what does it. */
export function workers(services: Services): Record<string, Worker> {
  return {
    'expire-upload': expireUpload(services),
    'purge-space': purgeSpace(services),
    'remove-blob': removeBlob(services),
    'send-letter': sendLetter(services),
    'sweep-blobs': sweepBlobs(services),
  }
}

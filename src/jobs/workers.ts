import type { Services } from '../http/route.ts'
import { expireUpload } from './expire-upload.ts'
import { purgeSpace } from './purge-space.ts'
import type { Worker } from './queue.ts'
import { removeBlob } from './remove-blob.ts'
import { sendEmail } from './send-email.ts'
import { sweepBlobs } from './sweep-blobs.ts'

/** The worker of each kind of job. */
export function workers(services: Services): Record<string, Worker> {
  return {
    'expire-upload': expireUpload(services),
    'purge-space': purgeSpace(services),
    'remove-blob': removeBlob(services),
    'send-email': sendEmail(services),
    'sweep-blobs': sweepBlobs(services),
  }
}

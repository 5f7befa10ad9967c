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

/** The time limits of jobs, in milliseconds. A removal of much content, and a clean-up of a large store, take minutes. */
export const JOB_LIMITS_MS: Readonly<Record<string, number>> = {
  'expire-upload': 60_000,
  'purge-space': 1_800_000,
  'remove-blob': 60_000,
  'send-email': 90_000,
  'sweep-blobs': 1_800_000,
}

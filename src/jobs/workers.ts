import type { Services } from '../http/route.ts'
import { checkLinks } from './check-links.ts'
import { endImports } from './end-import.ts'
import { expireEvents } from './expire-events.ts'
import { expireInsights } from './expire-insights.ts'
import { expireUpload } from './expire-upload.ts'
import { indexSearch } from './index-search.ts'
import { processOpenApi, refreshOpenApi } from './process-openapi.ts'
import { purgeSpace } from './purge-space.ts'
import type { Worker } from './queue.ts'
import { removeBlob } from './remove-blob.ts'
import { sendEmail } from './send-email.ts'
import { sweepBlobs } from './sweep-blobs.ts'
import { sweepBursts } from './sweep-burst.ts'

/** So long a space is indexed before another one has its turn, in milliseconds. */
const INDEXING_TURN_MS = 1_000

/** So long the specifications of an organization are processed before those of another one have their turn. */
const PROCESSING_TURN_MS = 15_000

/** The worker of each kind of job. */
export function workers(services: Services): Record<string, Worker> {
  return {
    'check-links': checkLinks(services),
    'end-import': endImports(services),
    'expire-events': expireEvents(services),
    'expire-insights': expireInsights(services),
    'expire-upload': expireUpload(services),
    'index-search': indexSearch(services, INDEXING_TURN_MS),
    'process-openapi': processOpenApi(services, PROCESSING_TURN_MS),
    'purge-space': purgeSpace(services),
    'refresh-openapi': refreshOpenApi(services),
    'remove-blob': removeBlob(services),
    'send-email': sendEmail(services),
    'sweep-blobs': sweepBlobs(services),
    'sweep-burst': sweepBursts(services),
  }
}

/** The time limits of jobs, in milliseconds. A removal of much content, and a clean-up of a large store, take minutes. */
export const JOB_LIMITS_MS: Readonly<Record<string, number>> = {
  'end-import': 600_000,
  'expire-events': 600_000,
  'expire-insights': 1_800_000,
  'expire-upload': 60_000,
  'index-search': 1_800_000,
  'process-openapi': 600_000,
  'purge-space': 1_800_000,
  'refresh-openapi': 60_000,
  'remove-blob': 60_000,
  'send-email': 90_000,
  'sweep-blobs': 1_800_000,
  'sweep-burst': 600_000,
}

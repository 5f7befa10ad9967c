import type { Services } from '../http/route.ts'
import { REVALIDATE } from '../model/revalidation.ts'
import { checkLinks } from './check-links.ts'
import { checkForUpdate } from './check-update.ts'
import { endImports } from './end-import.ts'
import { expireEvents } from './expire-events.ts'
import { expireInsights } from './expire-insights.ts'
import { expireUpload } from './expire-upload.ts'
import { indexSearch } from './index-search.ts'
import { processOpenApi, refreshOpenApi } from './process-openapi.ts'
import { purgeSpace } from './purge-space.ts'
import type { JobKind } from './queue/job-kind.ts'
import {
  TRIES_INSIDE,
  TRIES_OF_MAIL,
  TRIES_OF_RENDERER,
  TRIES_OUTSIDE,
  TRIES_UNTIL_TOMORROW,
} from './queue/tries.ts'
import { removeBlob } from './remove-blob.ts'
import { sendEmail } from './send-email.ts'
import { sweepBlobs } from './sweep-blobs.ts'
import { sweepBursts } from './sweep-burst.ts'
import { lookForSyncs, syncRepository } from './sync-repository.ts'
import { tellRenderer } from './tell-renderer.ts'

/** So long a space is indexed before another one has its turn, in milliseconds. */
const INDEXING_TURN_MS = 1_000

/** So long the specifications of an organization are processed before those of another one have their turn. */
const PROCESSING_TURN_MS = 15_000

const MINUTE = 60_000

/**
 * Every kind of job, with its worker, its time limit and how often it is tried. A removal of much content, and a clean-up
 * of a large store, take minutes. Jobs that enqueue the next one before they begin are tried for a shorter time than
 * passes until then.
 */
export function workers(services: Services): Record<string, JobKind> {
  return {
    'check-links': { run: checkLinks(services), limitMs: 10 * MINUTE, tries: TRIES_INSIDE },
    'check-update': { run: checkForUpdate(services), limitMs: MINUTE, tries: TRIES_UNTIL_TOMORROW },
    'end-import': { run: endImports(services), limitMs: 10 * MINUTE, tries: TRIES_INSIDE },
    'expire-events': { run: expireEvents(services), limitMs: 10 * MINUTE, tries: TRIES_INSIDE },
    'expire-insights': { run: expireInsights(services), limitMs: 30 * MINUTE, tries: TRIES_INSIDE },
    'expire-upload': { run: expireUpload(services), limitMs: MINUTE, tries: TRIES_INSIDE },
    'index-search': {
      run: indexSearch(services, INDEXING_TURN_MS),
      limitMs: 30 * MINUTE,
      tries: TRIES_INSIDE,
    },
    'look-for-syncs': { run: lookForSyncs(services), limitMs: MINUTE, tries: TRIES_INSIDE },
    'process-openapi': {
      run: processOpenApi(services, PROCESSING_TURN_MS),
      limitMs: 10 * MINUTE,
      tries: TRIES_OUTSIDE,
    },
    'purge-space': { run: purgeSpace(services), limitMs: 30 * MINUTE, tries: TRIES_INSIDE },
    'refresh-openapi': { run: refreshOpenApi(services), limitMs: MINUTE, tries: TRIES_INSIDE },
    'remove-blob': { run: removeBlob(services), limitMs: MINUTE, tries: TRIES_OUTSIDE },
    [REVALIDATE]: { run: tellRenderer(services), limitMs: MINUTE, tries: TRIES_OF_RENDERER },
    'send-email': { run: sendEmail(services), limitMs: 90_000, tries: TRIES_OF_MAIL },
    'sweep-blobs': { run: sweepBlobs(services), limitMs: 30 * MINUTE, tries: TRIES_UNTIL_TOMORROW },
    // A sync that fails stores why, and the next one follows by itself.
    'sync-repository': { run: syncRepository(services), limitMs: 30 * MINUTE, tries: TRIES_INSIDE },
    'sweep-burst': { run: sweepBursts(services), limitMs: 10 * MINUTE, tries: TRIES_INSIDE },
  }
}

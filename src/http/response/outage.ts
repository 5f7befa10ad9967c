import type { FastifyBaseLogger } from 'fastify'
import { type BlobFault, BlobStoreFault } from '../../blobs/blobs.ts'
import { type DatabaseFault, databaseFault } from '../../db/errors.ts'
import { type ApiError, insufficientStorage, unavailable } from '../errors.ts'
import { because } from '../../core/languages/reasons.ts'

/** The log message about an outage. */
const OUTAGE = 'the database or the disk does not work'
const BLOB_OUTAGE = 'the store of uploaded files does not work'

/** How soon a client may repeat a request that a fault of the database or the disk refused. */
const OUTAGE_RETRY_S = 2
/** The same for a store of files in another service, which has been tried several times already. */
const SERVICE_RETRY_S = 10
/** The same if only an administrator can change something. */
const REFUSED_RETRY_S = 60

const OF_DATABASE: Record<DatabaseFault, () => ApiError> = {
  unreachable: () => unavailable(because('database-unreachable'), OUTAGE_RETRY_S),
  slow: () => unavailable(because('database-slow'), OUTAGE_RETRY_S),
  full: () => insufficientStorage(because('database-full')),
  'read-only': () => unavailable(because('database-read-only'), OUTAGE_RETRY_S),
  damaged: () => unavailable(because('database-damaged')),
}

const OF_BLOBS: Record<BlobFault, (retryAfter: number | undefined) => ApiError> = {
  full: () => insufficientStorage(because('file-disk-full')),
  unusable: () => unavailable(because('file-folder-unusable'), OUTAGE_RETRY_S),
  unreachable: () => unavailable(because('file-store-unreachable'), SERVICE_RETRY_S),
  slow: () => unavailable(because('file-store-slow'), SERVICE_RETRY_S),
  busy: (retryAfter = SERVICE_RETRY_S) => unavailable(because('file-store-busy'), retryAfter),
  refused: () => unavailable(because('file-store-refused'), REFUSED_RETRY_S),
  invalid: () => unavailable(because('file-store-invalid'), SERVICE_RETRY_S),
}

/**
 * The response to a fault of what the server depends on, its database and its store of files: 507 if there is no space,
 * otherwise 503. Undefined for any other error.
 */
export function outageOf(error: unknown): ApiError | undefined {
  const fault = databaseFault(error)
  if (fault) return OF_DATABASE[fault]()
  return error instanceof BlobStoreFault ? OF_BLOBS[error.fault](error.retryAfter) : undefined
}

const LOGGED_EVERY_MS = 60_000

/** When the log last got a line about an outage, and how many requests met it since, by reason. */
type Logged = Map<string | undefined, { at: number; unlogged: number }>

const logs = new WeakMap<object, Logged>()

/** Writes a request that an outage refused to the log: of each reason, one in a minute, with the number of the others. */
export function logOutage(
  { id, log }: { id: string; log: FastifyBaseLogger },
  outage: ApiError,
  error: unknown,
): void {
  const logged: Logged = logs.get(log) ?? new Map()
  logs.set(log, logged)
  const last = logged.get(outage.reason)
  const now = performance.now()
  if (last && now - last.at < LOGGED_EVERY_MS) {
    last.unlogged += 1
    return
  }
  logged.set(outage.reason, { at: now, unlogged: 0 })
  const fields = { id, err: error, ...(last?.unlogged && { unlogged: last.unlogged }) }
  log.error(fields, error instanceof BlobStoreFault ? BLOB_OUTAGE : OUTAGE)
}

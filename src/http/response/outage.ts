import { BlobStoreFault } from '../../blobs/blobs.ts'
import { type DatabaseFault, databaseFault } from '../../db/errors.ts'
import { type ApiError, insufficientStorage, unavailable } from '../errors.ts'
import { because } from '../../core/languages/reasons.ts'

/** The log message about an outage. */
export const OUTAGE = 'the database or the disk does not work'

/** How soon a client may repeat a request that a fault of the database or the disk refused. */
const OUTAGE_RETRY_S = 2

const OF_DATABASE: Record<DatabaseFault, () => ApiError> = {
  unreachable: () => unavailable(because('database-unreachable'), OUTAGE_RETRY_S),
  slow: () => unavailable(because('database-slow'), OUTAGE_RETRY_S),
  full: () => insufficientStorage(because('database-full')),
  'read-only': () => unavailable(because('database-read-only'), OUTAGE_RETRY_S),
  damaged: () => unavailable(because('database-damaged')),
}

/**
 * The response to a fault of what the server depends on, its database and its disk: 507 if there is no space, otherwise
 * 503. Undefined for any other error.
 */
export function outageOf(error: unknown): ApiError | undefined {
  const fault = databaseFault(error)
  if (fault) return OF_DATABASE[fault]()
  if (!(error instanceof BlobStoreFault)) return undefined
  return error.fault === 'full'
    ? insufficientStorage(because('file-disk-full'))
    : unavailable(because('file-folder-unusable'), OUTAGE_RETRY_S)
}

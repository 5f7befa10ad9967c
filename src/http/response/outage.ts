import { BlobStoreFault } from '../../blobs/blobs.ts'
import { type DatabaseFault, databaseFault } from '../../db/errors.ts'
import { type ApiError, insufficientStorage, unavailable } from '../errors.ts'

/** The log message about an outage. */
export const OUTAGE = 'the database or the disk does not work'

/** How soon a client may repeat a request that a fault of the database or the disk refused. */
const OUTAGE_RETRY_S = 2

const OF_DATABASE: Record<DatabaseFault, () => ApiError> = {
  unreachable: () => unavailable('The database cannot be reached; retry the request', OUTAGE_RETRY_S),
  slow: () => unavailable('The database took too long; retry the request', OUTAGE_RETRY_S),
  full: () => insufficientStorage('The disk of the database is full; retry when there is space'),
  'read-only': () => unavailable('The database is read-only; retry when it can be written', OUTAGE_RETRY_S),
  damaged: () => unavailable('The database file is damaged; restore a backup'),
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
    ? insufficientStorage('The disk for uploaded files is full; retry when there is space')
    : unavailable('The folder for uploaded files cannot be used; retry when it can', OUTAGE_RETRY_S)
}

/** SQLITE_BUSY; its extended codes have the same lowest byte. */
const SQLITE_BUSY = 5
/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const SQLITE_UNIQUE = new Set([2067, 1555])

/** True if another transaction holds the lock that a statement needed: SQLITE_BUSY, or PostgreSQL's 55P03. */
export function isBusy(error: unknown): boolean {
  const { code, errcode = 0 } = error as { code?: string; errcode?: number }
  return code === '55P03' || (code === 'ERR_SQLITE_ERROR' && (errcode & 0xff) === SQLITE_BUSY)
}

/** True if PostgreSQL ended a transaction because of another one: a serialization failure or a deadlock. */
export function isSerializationFailure(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === '40001' || code === '40P01'
}

/** True if a unique constraint was violated, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode = 0 } = error as { code?: string; errcode?: number }
  return code === '23505' || (code === 'ERR_SQLITE_ERROR' && SQLITE_UNIQUE.has(errcode))
}

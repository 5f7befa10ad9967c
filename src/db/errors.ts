/** SQLITE_BUSY; its extended codes have the same lowest byte. */
const SQLITE_BUSY = 5
/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const SQLITE_UNIQUE = new Set([2067, 1555])

/** A fault that keeps the database from working, whatever the request was. */
export type DatabaseFault = 'unreachable' | 'slow' | 'full' | 'read-only' | 'damaged'

/** The primary result codes of SQLite that are faults of its files or their disk. */
const SQLITE_FAULTS: Record<number, DatabaseFault> = {
  8: 'read-only', // SQLITE_READONLY
  10: 'unreachable', // SQLITE_IOERR
  11: 'damaged', // SQLITE_CORRUPT
  13: 'full', // SQLITE_FULL
  14: 'unreachable', // SQLITE_CANTOPEN
  26: 'damaged', // SQLITE_NOTADB
}

/** The error codes of PostgreSQL that are faults of its server or of the connection, by their first characters. */
const POSTGRES_FAULTS: [RegExp, DatabaseFault][] = [
  [/^(08|57P|53300|53400|58)/, 'unreachable'],
  [/^(57014|53200)/, 'slow'],
  [/^53100/, 'full'],
  [/^25006/, 'read-only'],
  [/^XX00[12]/, 'damaged'],
]

/** The connection to the database broke, or could not be opened in time. The cause is the error of the driver. */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    super(`The database cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
    this.name = 'DatabaseUnreachable'
  }
}

/** The schema of a database is not one that this version can use. The message explains what to do. */
export class SchemaError extends Error {}

/** A fault of the database that a later retry may not find; undefined for any other error. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (error instanceof DatabaseUnreachable) return 'unreachable'
  const { code, errcode = 0, severity } = error as { code?: string; errcode?: number; severity?: string }
  if (code === 'ERR_SQLITE_ERROR') return SQLITE_FAULTS[errcode & 0xff]
  // Only PostgreSQL's own errors have a severity; other errors have codes of other kinds.
  return severity === undefined
    ? undefined
    : POSTGRES_FAULTS.find(([pattern]) => pattern.test(code ?? ''))?.[1]
}

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

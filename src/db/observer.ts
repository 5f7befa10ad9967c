/** What a statement does: `transaction` begins or ends one. */
export type StatementKind = 'read' | 'write' | 'transaction'

/** Learns of the work of the database, for metrics, traces and the log of slow statements. */
export interface DatabaseObserver {
  /** A statement has ended, also one that failed. @param ms how long it ran, without waiting for its turn */
  statement(sql: string, kind: StatementKind, ms: number): void
  /** Something has waited: a write for the lock of SQLite, or work for a connection to PostgreSQL. */
  waited(reason: 'write' | 'connection', ms: number): void
  /** A transaction is repeated, because it collided with another one. */
  repeated(): void
}

const READS = /^\s*(?:select|with|pragma|explain)\b/i
const TRANSACTIONS = /^\s*(?:begin|start|commit|rollback|savepoint|release)\b/i

/** The kind of a statement, by its first word. Kysely writes `with` for reads only. */
export function kindOfStatement(sql: string): StatementKind {
  if (READS.test(sql)) return 'read'
  return TRANSACTIONS.test(sql) ? 'transaction' : 'write'
}

import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { isBusy, isSerializationFailure } from './errors.ts'
import type { Database, Schema, Tx } from './schema.ts'

const ATTEMPTS = 30
const LONGEST_WAIT_MS = 500
const BUSY_ATTEMPTS = 300
const BUSY_WAIT_MS = 200

/** Opens a PostgreSQL database. Transactions are serializable; `write` repeats those that fail to serialize. */
export function openPostgres(address: string, connections = 10): Database & { writer: Kysely<Schema> } {
  const pool = new pg.Pool({ connectionString: address, max: connections })
  // The pool replaces an idle connection that breaks. Without a listener, its error event would end the process.
  pool.on('error', () => {})
  const writer = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })

  return {
    dialect: 'postgres',
    read: writer,
    writer,
    async write(work) {
      for (let attempt = 1, busy = 0; ;) {
        try {
          return await writer
            .transaction()
            .setIsolationLevel('serializable')
            .execute((tx: Tx) => work(tx))
        } catch (error) {
          if (isBusy(error) && busy++ < BUSY_ATTEMPTS) {
            // Waiting outside the database leaves the pool's connections to readers.
            await wait(Math.random() * Math.min(BUSY_WAIT_MS, 5 * busy))
            continue
          }
          if (attempt === ATTEMPTS || !isCollision(error)) throw error
          await wait(Math.random() * Math.min(LONGEST_WAIT_MS, 2 ** attempt++ * 2))
        }
      }
    },
    close: () => writer.destroy(),
  }
}

/**
 * Constraints on a next number, such as the sequence of a revision. A violation means that another transaction took the
 * number first, so the transaction is repeated with the number after it.
 */
const NEXT_NUMBERS = new Set([
  'auditChain_pkey',
  'changeRequest_number',
  'revision_primary',
  'revision_proposed',
])

function isCollision(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return isSerializationFailure(error) || (code === '23505' && NEXT_NUMBERS.has(constraint ?? ''))
}

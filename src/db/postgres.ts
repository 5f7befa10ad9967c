import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database, Schema, Tx } from './schema.ts'

const ATTEMPTS = 12
const BUSY_ATTEMPTS = 300
const BUSY_WAIT_MS = 200

/** Opens a PostgreSQL database by its address. Transactions are serializable, and run again when two of them collide. */
export function openPostgres(address: string, connections = 10): Database & { writer: Kysely<Schema> } {
  const pool = new pg.Pool({ connectionString: address, max: connections })
  // An idle connection that breaks is replaced by the pool; unheard, its error would end the process.
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
            // Waiting here and not in the database leaves the connections to those who read.
            await wait(Math.random() * Math.min(BUSY_WAIT_MS, 5 * busy))
            continue
          }
          if (attempt === ATTEMPTS || !isCollision(error)) throw error
          await wait(Math.random() * 2 ** attempt++ * 2)
        }
      }
    },
    close: () => writer.destroy(),
  }
}

/** Two transactions that both take the next place here are a collision too: the second goes on from the first. */
const NEXT_OF = new Set(['auditChain_pkey', 'changeRequest_number', 'revision_primary', 'revision_proposed'])

function isCollision(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '40001' || code === '40P01' || (code === '23505' && NEXT_OF.has(constraint ?? ''))
}

function isBusy(error: unknown): boolean {
  return (error as { code?: string }).code === '55P03'
}

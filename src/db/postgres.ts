import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database, Schema, Tx } from './schema.ts'

const ATTEMPTS = 12

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
      for (let attempt = 1; ; attempt++) {
        try {
          return await writer
            .transaction()
            .setIsolationLevel('serializable')
            .execute((tx: Tx) => work(tx))
        } catch (error) {
          if (attempt === ATTEMPTS || !isCollision(error)) throw error
          await wait(Math.random() * 2 ** attempt * 2)
        }
      }
    },
    close: () => writer.destroy(),
  }
}

function isCollision(error: unknown): boolean {
  const code = (error as { code?: string }).code
  return code === '40001' || code === '40P01'
}

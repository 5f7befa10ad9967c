import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from './migrate.ts'
import type { DatabaseTimeouts } from './postgres.ts'
import type { Database } from './schema.ts'
import { openSqlite } from './sqlite.ts'

export interface DatabaseOptions {
  /** `postgres://…`; if absent, a SQLite file in the data folder. */
  databaseUrl?: string | undefined
  data: string
  /** Of PostgreSQL; by default, none. */
  databaseTimeouts?: DatabaseTimeouts
  durable?: boolean
  /** How long a SQLite statement waits for the lock of another process. */
  lockWaitMs?: number
}

/** Opens the configured database and migrates its schema to the current version. */
export async function openDatabase({
  databaseUrl,
  databaseTimeouts,
  data,
  ...options
}: DatabaseOptions): Promise<Database> {
  if (databaseUrl) {
    await migratePostgres(databaseUrl, databaseTimeouts)
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(databaseUrl, databaseTimeouts)
  }

  mkdirSync(data, { recursive: true, mode: 0o700 })
  const database = await openSqlite({ file: join(data, 'lectern.sqlite'), ...options })
  try {
    await migrate(database.writer)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** A migration may take longer than a statement of a request, and it waits for that of another process. */
async function migratePostgres(
  url: string,
  { connectMs = 0 }: Partial<DatabaseTimeouts> = {},
): Promise<void> {
  const { openPostgres } = await import('./postgres.ts')
  const database = openPostgres(url, { connectMs, statementMs: 0 }, 1)
  try {
    await migrate(database.writer)
  } finally {
    await database.close()
  }
}

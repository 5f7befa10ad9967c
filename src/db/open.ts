import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from './migrate.ts'
import type { Database } from './schema.ts'
import { openSqlite } from './sqlite.ts'

export interface DatabaseOptions {
  /** `postgres://…`; if absent, a SQLite file in the data folder. */
  databaseUrl?: string | undefined
  data: string
  durable?: boolean
  /** How long a SQLite statement waits for the lock of another process. */
  lockWaitMs?: number
}

/** Opens the configured database and migrates its schema to the current version. */
export async function openDatabase({ databaseUrl, data, ...options }: DatabaseOptions): Promise<Database> {
  if (!databaseUrl) mkdirSync(data, { recursive: true, mode: 0o700 })
  const database = databaseUrl
    ? (await import('./postgres.ts')).openPostgres(databaseUrl)
    : await openSqlite({ file: join(data, 'lectern.sqlite'), ...options })

  try {
    await migrate(database.writer)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

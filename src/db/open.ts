import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import type { Database } from './schema.ts'
import { openSqlite } from './sqlite.ts'

export interface DatabaseOptions {
  /** `postgres://…`; absent for SQLite in the data folder. */
  databaseUrl?: string | undefined
  data: string
  durable?: boolean
}

/** Opens the configured database and brings its schema up to date. */
export async function openDatabase({ databaseUrl, data, durable }: DatabaseOptions): Promise<Database> {
  if (!databaseUrl) mkdirSync(data, { recursive: true, mode: 0o700 })
  const database = databaseUrl
    ? openPostgres(databaseUrl)
    : openSqlite({ file: join(data, 'lectern.sqlite'), durable: durable ?? true })

  try {
    await migrate(database.writer)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** True where another transaction still holds what this one had to write to. */
export function isBusy(error: unknown): boolean {
  return (error as { code?: string }).code === '55P03'
}

/** True for the violation of a unique constraint on either database. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number }
  return code === '23505' || (code === 'ERR_SQLITE_ERROR' && (errcode === 2067 || errcode === 1555))
}

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { VERSION } from '../core/runtime/version.ts'
import { readCatalogue } from './catalogue/catalogue.ts'
import { compareCatalogues, expectedCatalogue, type SchemaDifference } from './catalogue/compare.ts'
import { SchemaError } from './errors.ts'
import { migrate } from './migrate.ts'
import type { DatabaseObserver } from './observer.ts'
import type { DatabaseTimeouts } from './postgres.ts'
import type { Database, Schema } from './schema.ts'
import { openSqlite } from './sqlite.ts'

/** How many differences an error lists; `lectern doctor` lists all. */
const LISTED = 8

export interface DatabaseOptions {
  /** `postgres://…`; if absent, a SQLite file in the data folder. */
  databaseUrl?: string | undefined
  data: string
  /** Of PostgreSQL; by default, none. */
  databaseTimeouts?: DatabaseTimeouts
  durable?: boolean
  /** How long a SQLite statement waits for the lock of another process. */
  lockWaitMs?: number
  observer?: DatabaseObserver | undefined
  /** Receives what an operator has added to the schema. */
  warn?: (message: string) => void
}

/** A database and the connection that migrates it. */
type Opened = Database & { writer: Kysely<Schema> }

/**
 * Opens the configured database, migrates its schema to the current version, and compares it with what the migrations make.
 * @throws SchemaError if a newer version has migrated it, or if the schema differs
 */
export async function openDatabase({ warn, ...options }: DatabaseOptions): Promise<Database> {
  const database = await openUnchecked(options)
  try {
    const differences = await schemaDifferences(database.writer, database.dialect)
    const faults = differences.filter(({ severity }) => severity === 'fault')
    if (faults.length > 0) throw new SchemaError(describe(faults))
    for (const { message } of differences) warn?.(message)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** How the schema of a migrated database differs from what the migrations of this version make. */
export async function schemaDifferences(
  db: Kysely<Schema>,
  dialect: 'sqlite' | 'postgres',
): Promise<SchemaDifference[]> {
  return compareCatalogues(expectedCatalogue(dialect), await readCatalogue(db as never, dialect))
}

function describe(faults: readonly SchemaDifference[]): string {
  const lines = faults.slice(0, LISTED).map(({ message }) => `  ${message}`)
  if (faults.length > LISTED) lines.push(`  and ${faults.length - LISTED} more, which "lectern doctor" lists`)
  return `The schema of the database is not that of Lectern ${VERSION}:
${lines.join('\n')}
Another version probably made this database, or somebody changed its tables. Restore a backup, or set LECTERN_DATA or DATABASE_URL to another database`
}

/** Opens the configured database and migrates it, without a comparison of its schema. @throws SchemaError as `migrate` */
export async function openUnchecked({
  databaseUrl,
  databaseTimeouts,
  data,
  observer,
  ...options
}: Omit<DatabaseOptions, 'warn'>): Promise<Opened> {
  if (databaseUrl) {
    await migratePostgres(databaseUrl, databaseTimeouts)
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(databaseUrl, databaseTimeouts, { observer })
  }

  mkdirSync(data, { recursive: true, mode: 0o700 })
  const database = await openSqlite({ file: join(data, 'lectern.sqlite'), observer, ...options })
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
  const database = openPostgres(url, { connectMs, statementMs: 0 }, { connections: 1 })
  try {
    await migrate(database.writer)
  } finally {
    await database.close()
  }
}

/** Checks of the database, and of what depends on what is in it: the secret and the clock. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { migrationFault, readMigrationState } from '../../db/migrate.ts'
import { schemaDifferences } from '../../db/open.ts'
import type { Database, Schema } from '../../db/schema.ts'
import type { Config } from '../../installation/config.ts'
import { secretState } from '../../installation/secrets.ts'
import { newestTime } from '../../server/clock.ts'
import type { Findings } from './check.ts'

/** A larger file is not read as a whole. */
const READ_BYTES = 500_000_000
const OLDEST_POSTGRES = 130_000
const CLOCKS_DIFFER_MS = 5_000
const RESTORE = 'Restore a backup, or set LECTERN_DATA or DATABASE_URL to another database'

/** A database that is not migrated. */
export type OpenDatabase = Database & { writer: Kysely<Schema> }

/** Opens the database without a migration; undefined if the first start will create it. */
export async function openAsItIs({
  databaseUrl,
  databaseTimeouts,
  data,
}: Config): Promise<OpenDatabase | undefined> {
  if (databaseUrl) {
    const { openPostgres } = await import('../../db/postgres.ts')
    return openPostgres(databaseUrl, databaseTimeouts, { connections: 1 })
  }
  const file = join(data, 'lectern.sqlite')
  if (!existsSync(file)) return undefined
  const { openSqlite } = await import('../../db/sqlite.ts')
  return openSqlite({ file })
}

/** @returns whether the schema is the current one, so that its tables can be read */
export async function checkDatabase(db: OpenDatabase, findings: Findings): Promise<boolean> {
  await (db.dialect === 'sqlite' ? checkSqlite(db, findings) : checkPostgres(db, findings))
  const state = await readMigrationState(db.writer)
  const fault = migrationFault(state)
  if (fault !== undefined) {
    findings.fault(fault, RESTORE)
    return false
  }
  if (state.pending.length > 0) {
    findings.ok(`the next start runs ${state.pending.length} migrations, up to "${state.pending.at(-1)}"`)
    return false
  }
  const differences = await schemaDifferences(db.writer, db.dialect)
  for (const { severity, message } of differences) {
    if (severity === 'fault') findings.fault(message, RESTORE)
    else findings.warn(message, 'If you have added it, nothing is to be done')
  }
  if (differences.length === 0) findings.ok('the schema is that of this version')
  return differences.every(({ severity }) => severity === 'warning')
}

async function checkSqlite({ writer }: OpenDatabase, findings: Findings): Promise<void> {
  const { rows } = await sql<{ version: string; bytes: number }>`select sqlite_version() as "version",
    (select page_count from pragma_page_count) * (select page_size from pragma_page_size) as "bytes"`.execute(
    writer,
  )
  findings.ok(`SQLite ${rows[0]?.version}`)
  if ((rows[0]?.bytes ?? 0) > READ_BYTES) return
  const found = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(writer)
  const [result] = found.rows
  if (result && result.quick_check !== 'ok')
    findings.fault(`the file is damaged: ${result.quick_check}`, 'Restore a backup')
}

async function checkPostgres({ writer }: OpenDatabase, findings: Findings): Promise<void> {
  const { rows } = await sql<{
    version: string
    number: string
    encoding: string
    now: Date
    most: string
  }>`select current_setting('server_version') as "version", current_setting('server_version_num') as "number",
    current_setting('server_encoding') as "encoding", current_setting('max_connections') as "most",
    clock_timestamp() as "now"`.execute(writer)
  const [server] = rows
  if (!server) return
  if (Number(server.number) < OLDEST_POSTGRES)
    findings.warn(`PostgreSQL ${server.version} is no longer maintained`, 'Update PostgreSQL')
  else findings.ok(`PostgreSQL ${server.version}`)
  if (server.encoding !== 'UTF8')
    findings.fault(
      `the encoding of the database is ${server.encoding}`,
      `Create the database with "encoding 'UTF8'", and import its content`,
    )
  const apart = Math.abs(server.now.getTime() - Date.now())
  if (apart > CLOCKS_DIFFER_MS)
    findings.warn(
      `the clock of PostgreSQL differs from that of this machine by ${Math.round(apart / 1000)} s`,
      'Synchronize both clocks, for example with NTP',
    )
}

/** The clock of this machine against the newest entry of the database. */
export async function checkClock(db: OpenDatabase, { ok, warn }: Findings): Promise<void> {
  const behind = (await newestTime(db)) - Date.now()
  const now = new Date().toISOString()
  if (behind <= 0) return ok(`the clock is at ${now}`)
  return warn(
    `the clock is at ${now}, ${Math.ceil(behind / 1000)} s behind the newest entry of the database`,
    'Set the clock, for example with NTP',
  )
}

export async function checkSecret(
  db: OpenDatabase | undefined,
  config: Config,
  { ok, warn, fault }: Findings,
): Promise<void> {
  const { place, isOpen, matches, rotatesSince } = await secretState(db?.read, config)
  if (!matches)
    return fault(
      `${place ?? 'this machine'} has not the secret of the database`,
      'Set LECTERN_SECRET to the secret of this database, or copy the file "secret" from the earlier data folder',
    )
  if (isOpen) warn(`other users of this machine can read ${place}`, `Run "chmod 600 ${place}"`)
  if (rotatesSince !== undefined)
    warn(
      `the secret is being replaced since ${rotatesSince}`,
      'Run "lectern rotate-secret --finish" when every copy of the server has the new one',
    )
  if (place === undefined) return ok('the first start creates the secret')
  return ok(`the secret is in ${place}. Keep a copy of it with your backups`)
}

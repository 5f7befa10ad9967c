import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { rememberWhileUnchanged } from './prepare.ts'
import type { Database, Schema, Tx } from './schema.ts'

const CACHED_STATEMENTS = 500

/** How a SQLite database is opened. `durable: false` skips the sync to disk and is for tests. */
export interface SqliteOptions {
  file: string
  durable?: boolean
}

/** Opens a SQLite database: one connection that writes, one that can only read. */
export function openSqlite({ file, durable = true }: SqliteOptions): Database & { writer: Kysely<Schema> } {
  const writable = new DatabaseSync(file, { timeout: 5000 })
  writable.exec('pragma journal_mode = wal; pragma foreign_keys = on;')
  writable.exec(`pragma synchronous = ${durable ? 'full' : 'off'}`)
  const readable = new DatabaseSync(file, { timeout: 5000, readOnly: true })
  // The lower() of SQLite knows only ASCII; searches for names ignore case in every language.
  for (const database of [writable, readable]) {
    database.function('lower', { deterministic: true }, (text) =>
      typeof text === 'string' ? text.toLowerCase() : text,
    )
  }

  const writer = new Kysely<Schema>({ dialect: dialectOf(writable, new Turns()) })
  const read = new Kysely<Schema>({ dialect: dialectOf(readable) })

  // Changes when any other connection, of this process or another, has committed. Asking costs a few microseconds, so
  // what is asked in one turn of the event loop is answered once, and again after a write of our own.
  const dataVersion = readable.prepare('pragma data_version')
  let state: number | undefined
  const forget = () => {
    state = undefined
  }
  rememberWhileUnchanged(read, () => {
    if (state !== undefined) return state
    state = (dataVersion.get() as { data_version: number }).data_version
    setImmediate(forget)
    return state
  })

  return {
    dialect: 'sqlite',
    read,
    writer,
    write: (work) =>
      writer
        .transaction()
        .execute((tx: Tx) => work(tx))
        .finally(forget),
    async close() {
      await read.destroy()
      await writer.destroy()
    },
  }
}

/** SQLite's changes of schema are part of the transaction; Kysely is more careful than it needs to be. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Lets one caller in at a time, in the order they came. */
class Turns {
  #last: Promise<void> = Promise.resolve()
  #release: (() => void) | undefined

  async take(): Promise<void> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    this.#release = resolve
  }

  give(): void {
    this.#release?.()
  }
}

function dialectOf(database: DatabaseSync, turns?: Turns): Dialect {
  const connection = new SqliteConnection(database)
  return {
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => ({
      async init() {},
      async acquireConnection() {
        await turns?.take()
        return connection
      },
      // A deferred begin would fail with SQLITE_BUSY when it comes to write, whatever the timeout.
      async beginTransaction() {
        database.exec('begin immediate')
      },
      async commitTransaction() {
        database.exec('commit')
      },
      async rollbackTransaction() {
        if (database.isTransaction) database.exec('rollback')
      },
      async releaseConnection() {
        turns?.give()
      },
      async destroy() {
        if (database.isOpen) database.close()
      },
    }),
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, returnsRows } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) as R[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  // The statements of a listing are read whole: a cached statement must not be iterated twice at once.
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  #prepare(sql: string) {
    const cached = this.#statements.get(sql)
    if (cached) return cached
    const statement = this.#database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    const oldest = this.#statements.keys().next()
    if (this.#statements.size >= CACHED_STATEMENTS && !oldest.done) this.#statements.delete(oldest.value)
    this.#statements.set(sql, prepared)
    return prepared
  }
}

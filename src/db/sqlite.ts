import { setTimeout as wait } from 'node:timers/promises'
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
import { lru } from '../core/data/lru.ts'
import { giveTurn, isTurnOver } from '../core/runtime/turns.ts'
import { isBusy } from './errors.ts'
import { type DatabaseObserver, kindOfStatement, type StatementKind } from './observer.ts'
import { rememberWhileUnchanged } from './prepare.ts'
import type { Database, Schema, Tx } from './schema.ts'
import { type WriteFault, writeFault } from './write-fault.ts'

const STATEMENTS_BYTES = 4 * 1024 * 1024
/** The measured memory of a prepared statement, and of each of its parameters. */
const STATEMENT_BYTES = 4096
const PARAMETER_BYTES = 256
/** How long SQLite itself waits for a lock. It blocks the event loop while it does. */
const BLOCKING_WAIT_MS = 2
const LOCK_WAIT_MS = 5_000
const LONGEST_PAUSE_MS = 50

/** How a SQLite database is opened. `durable: false` skips the sync to disk and is for tests. */
export interface SqliteOptions {
  file: string
  durable?: boolean
  /** How long a statement waits for the lock of another process before it fails with SQLITE_BUSY. */
  lockWaitMs?: number
  observer?: DatabaseObserver | undefined
}

/** Opens a SQLite database: one connection that writes, one that can only read. */
export async function openSqlite({
  file,
  durable = true,
  lockWaitMs = LOCK_WAIT_MS,
  observer,
}: SqliteOptions): Promise<Database & { writer: Kysely<Schema> }> {
  const writable = new DatabaseSync(file, { timeout: BLOCKING_WAIT_MS })
  const writing = lockRetry(lockWaitMs)
  await writing(() => writable.exec('pragma journal_mode = wal; pragma foreign_keys = on;'))
  const commits = syncing(writable, durable)
  const readable = new DatabaseSync(file, { timeout: BLOCKING_WAIT_MS, readOnly: true })
  // SQLite's lower() converts only ASCII, but searches for names ignore case in every language.
  for (const database of [writable, readable]) {
    database.function('lower', { deterministic: true }, (text) =>
      typeof text === 'string' ? text.toLowerCase() : text,
    )
  }

  const fault = writeFault()
  const writer = new Kysely<Schema>({
    dialect: dialectOf(writable, { retry: writing, fault, observer, turns: new Turns(), commits }),
  })
  const read = new Kysely<Schema>({
    dialect: dialectOf(readable, { retry: lockRetry(lockWaitMs), fault, observer }),
  })

  // `pragma data_version` changes when any other connection, of this process or another, commits. It costs a few
  // microseconds, so it runs once per turn of the event loop, and again after each write of this process.
  const dataVersion = readable.prepare('pragma data_version')
  let state: number | undefined
  const forget = () => {
    state = undefined
  }
  rememberWhileUnchanged(read, () => {
    if (state !== undefined) return state
    try {
      state = (dataVersion.get() as { data_version: number }).data_version
    } catch (error) {
      if (isBusy(error)) return undefined
      throw error
    }
    setImmediate(forget)
    return state
  })

  const write: Database['write'] = (work, { isSynced = true } = {}) => {
    const written = isSynced
      ? writer.transaction().execute((tx: Tx) => work(tx))
      : writer.connection().execute(async (connection) => {
          commits.areSynced = false
          try {
            return await connection.transaction().execute((tx: Tx) => work(tx))
          } finally {
            commits.areSynced = true
          }
        })
    return written.finally(forget)
  }

  return {
    dialect: 'sqlite',
    read,
    writer,
    write,
    file,
    async check() {
      await read.selectFrom('instance').select('name').limit(1).execute()
      await fault.check(write)
    },
    async close() {
      await read.destroy()
      await writer.destroy()
    },
  }
}

/** Whether the commits of a connection wait for the disk. Set `areSynced` only while the connection is yours. */
interface Commits {
  areSynced: boolean
  /** Makes the next transaction as it should be; none may have begun. */
  prepare(): void
}

/** In the mode `normal`, a commit is only in the write-ahead log. The next commit in the mode `full` syncs all of that. */
function syncing(database: DatabaseSync, durable: boolean): Commits {
  let mode = ''
  const commits: Commits = {
    areSynced: true,
    prepare() {
      const wanted = durable ? (commits.areSynced ? 'full' : 'normal') : 'off'
      if (wanted === mode) return
      database.exec(`pragma synchronous = ${wanted}`)
      mode = wanted
    },
  }
  commits.prepare()
  return commits
}

/** Runs a synchronous step, and repeats it while another process holds the lock that it needs. */
type LockRetry = <T>(step: () => T, since?: number) => Promise<T>

/**
 * node:sqlite is synchronous, so SQLite's own busy timeout would stop every request of the process. Instead, a step that
 * fails with SQLITE_BUSY is repeated from a timer, with exponential back-off. A step gives up once the lock has been in
 * its way for `limitMs`; the time that it waited for writes of this process does not count.
 */
function lockRetry(limitMs: number): LockRetry {
  let lockedSince: number | undefined

  return async (step, since = performance.now()) => {
    for (let pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const result = step()
        lockedSince = undefined
        return result
      } catch (error) {
        if (!isBusy(error)) throw error
        const now = performance.now()
        lockedSince ??= now
        if (now - Math.max(since, lockedSince) >= limitMs) throw error
        await wait(pause)
      }
    }
  }
}

/**
 * SQLite runs DDL inside transactions, which Kysely's adapter does not declare. The adapter's mutex is off: `Turns` takes
 * its place, and knows how long a caller has waited.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** A mutual exclusion lock; callers get it in the order in which they asked. */
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

/** What the statements of a connection need. The connection that writes has `turns`. */
interface SqliteParts {
  retry: LockRetry
  fault: WriteFault
  observer: DatabaseObserver | undefined
  turns?: Turns
  commits?: Commits
}

function dialectOf(database: DatabaseSync, parts: SqliteParts): Dialect {
  const { retry, fault, observer, turns, commits } = parts
  const connection = new SqliteConnection(database, parts)
  let askedAt = 0
  return {
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => ({
      async init() {},
      async acquireConnection() {
        const since = performance.now()
        await turns?.take()
        askedAt = since
        return connection
      },
      // A deferred transaction would fail at its first write if another connection wrote after its first read.
      async beginTransaction() {
        commits?.prepare()
        await retry(() => database.exec('begin immediate'), askedAt)
        observer?.waited('write', performance.now() - askedAt)
      },
      async commitTransaction() {
        const since = performance.now()
        noting(fault, () => database.exec('commit'))
        observer?.statement('commit', 'transaction', performance.now() - since)
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

function noting<T>(fault: WriteFault, step: () => T): T {
  try {
    return step()
  } catch (error) {
    fault.note(error)
    throw error
  }
}

interface PreparedStatement {
  statement: StatementSync
  returnsRows: boolean
  kind: StatementKind
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #retry: LockRetry
  readonly #fault: WriteFault
  readonly #observer: DatabaseObserver | undefined
  readonly #statements = lru<PreparedStatement>(STATEMENTS_BYTES, 'statements')

  constructor(database: DatabaseSync, { retry, fault, observer }: SqliteParts) {
    this.#database = database
    this.#retry = retry
    this.#fault = fault
    this.#observer = observer
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // Statements are synchronous, so a long transaction, or many short ones in a row, would stop all other requests.
    if (isTurnOver()) await giveTurn()
    // A transaction holds the write lock from its first statement, so nothing inside it can be refused.
    return this.#database.isTransaction ? this.#run(query) : this.#retry(() => this.#run<R>(query))
  }

  #run<R>(query: CompiledQuery): QueryResult<R> {
    return noting(this.#fault, () => this.#step<R>(query))
  }

  #step<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, returnsRows, kind } = this.#prepare(sql, parameters.length)
    const values = parameters as SQLInputValue[]
    const since = this.#observer && performance.now()
    try {
      if (returnsRows) return { rows: statement.all(...values) as R[] }
      const { changes, lastInsertRowid } = statement.run(...values)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    } finally {
      if (since !== undefined) this.#observer?.statement(sql, kind, performance.now() - since)
    }
  }

  // Reads all rows at once, because a cached statement must not be iterated twice at the same time.
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  #prepare(sql: string, parameters: number) {
    const cached = this.#statements.get(sql)
    if (cached) return cached
    const statement = this.#database.prepare(sql)
    const prepared = {
      statement,
      returnsRows: statement.columns().length > 0,
      kind: kindOfStatement(sql),
    }
    // The last row that FTS5 inserts into its own tables can have an id that is no safe integer.
    if (!prepared.returnsRows) statement.setReadBigInts(true)
    this.#statements.set(sql, prepared, STATEMENT_BYTES + sql.length + PARAMETER_BYTES * parameters)
    return prepared
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { DatabaseUnreachable, isBusy, isSerializationFailure } from './errors.ts'
import { type DatabaseObserver, kindOfStatement } from './observer.ts'
import type { Database, Schema, Tx } from './schema.ts'
import { type WriteFault, writeFault } from './write-fault.ts'

const ATTEMPTS = 30
const LONGEST_WAIT_MS = 500
const BUSY_ATTEMPTS = 300
const BUSY_WAIT_MS = 200

/** The time for a check of the server, with the connection. */
const CHECK_MS = 1_500
/** The server ends a slow statement itself. The driver waits a little longer, for a server that does not respond. */
const UNANSWERED_MS = 5_000

/** How long PostgreSQL may take before a request fails; 0 is for ever. */
export interface DatabaseTimeouts {
  /** For a connection, from the pool or a new one. */
  connectMs: number
  /** For one statement. */
  statementMs: number
}

const PATIENT: DatabaseTimeouts = { connectMs: 0, statementMs: 0 }

/** How a PostgreSQL database is opened. */
export interface PostgresOptions {
  /** The most connections; 10 by default. */
  connections?: number
  observer?: DatabaseObserver | undefined
}

/** Opens a PostgreSQL database. Transactions are serializable; `write` repeats those that fail to serialize. */
export function openPostgres(
  address: string,
  timeouts = PATIENT,
  { connections = 10, observer }: PostgresOptions = {},
): Database & { writer: Kysely<Schema> } {
  const fault = writeFault()
  const pool = openPool(address, connections, timeouts)
  // A pool of its own, so that the check does not wait behind requests.
  const checks = openPool(address, 1, { connectMs: CHECK_MS, statementMs: CHECK_MS }, 0)
  const writer = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: guarded(pool, fault, observer) }),
  })

  const write: Database['write'] = async (work, { isSynced = true } = {}) => {
    for (let attempt = 1, busy = 0; ;) {
      try {
        return await writer
          .transaction()
          .setIsolationLevel('serializable')
          .execute(async (tx: Tx) => {
            // The write-ahead log is flushed in its order, so the next commit that waits takes this one along.
            if (!isSynced) await sql`set local synchronous_commit = off`.execute(tx)
            return work(tx)
          })
      } catch (error) {
        if (isBusy(error) && busy++ < BUSY_ATTEMPTS) {
          observer?.repeated()
          // Waiting outside the database leaves the pool's connections to readers.
          await wait(Math.random() * Math.min(BUSY_WAIT_MS, 5 * busy))
          continue
        }
        if (attempt === ATTEMPTS || !isCollision(error)) throw error
        observer?.repeated()
        await wait(Math.random() * Math.min(LONGEST_WAIT_MS, 2 ** attempt++ * 2))
      }
    }
  }

  return {
    dialect: 'postgres',
    read: writer,
    writer,
    write,
    pool: () => ({ connections: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async check() {
      const client = await guarded(checks, fault).connect()
      try {
        await client.query('select from "instance" limit 1', [])
      } finally {
        client.release()
      }
      await fault.check(write)
    },
    async close() {
      await checks.end()
      await writer.destroy()
    },
  }
}

function openPool(
  connectionString: string,
  max: number,
  { connectMs, statementMs }: DatabaseTimeouts,
  unansweredMs = UNANSWERED_MS,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    ...(statementMs === 0
      ? {}
      : { statement_timeout: statementMs, query_timeout: statementMs + unansweredMs }),
  })
  // Without a listener, the error event of a connection that breaks would end the process. The pool listens to idle
  // connections only, and replaces them. A query on a connection in use fails with the same error.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * A pool whose connections report that they broke as `DatabaseUnreachable`. A broken connection does not return to the
 * pool: it could still receive the response to a query that nobody waits for.
 */
function guarded(pool: pg.Pool, fault: WriteFault, observer?: DatabaseObserver): PostgresPool {
  const guards = new WeakMap<pg.PoolClient, PostgresPoolClient>()

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const since = performance.now()
      const client = await pool.connect().catch(explain)
      observer?.waited('connection', performance.now() - since)
      const guard = guards.get(client) ?? guardOf(client, fault, observer)
      guards.set(client, guard)
      return guard
    },
  }
}

function guardOf(client: pg.PoolClient, fault: WriteFault, observer?: DatabaseObserver): PostgresPoolClient {
  let broken: DatabaseUnreachable | undefined

  const guard = {
    async query(text: string, parameters: unknown[]) {
      if (broken) throw broken
      const since = performance.now()
      try {
        return await client.query(text, parameters)
      } catch (error) {
        fault.note(error)
        const reason = explained(error)
        if (reason instanceof DatabaseUnreachable) broken = reason
        throw reason
      } finally {
        observer?.statement(text, kindOfStatement(text), performance.now() - since)
      }
    },
    release: (destroy = false) => client.release(destroy || broken !== undefined),
  }
  // Kysely declares cursors too, which nothing uses.
  return guard as unknown as PostgresPoolClient
}

function explain(error: unknown): never {
  throw explained(error)
}

/** The errors of PostgreSQL itself stay as they are. Any other is one of the connection, unless it is a programming error. */
function explained(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof TypeError) return error
  return new DatabaseUnreachable(error)
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

import { CompiledQuery, type Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely'
import { heapSize } from '../core/runtime/heap-size.ts'
import { type Lru, lru } from '../core/data/lru.ts'
import type { Reader, Schema } from './schema.ts'

// Kysely's builders have two type parameters that do not matter for running a query.
// oxlint-disable-next-line typescript/no-explicit-any
type Select<R> = SelectQueryBuilder<any, any, R>

interface Compiled {
  sql: string
  /** For each parameter of the SQL, the index of an argument or a constant. */
  parameters: ({ argument: number } | { constant: unknown })[]
}

/** The result of a query, and the state of the database that it belongs to. */
interface Known {
  state: number
  result: unknown
}

/** The data that all prepared queries of a reader share. */
interface Memory {
  /** A cheap function whose value changes whenever a transaction is committed. */
  state: () => number | undefined
  known: Lru<Known>
}

const MEMORY_BYTES = 16 * 1024 * 1024

/** The readers whose prepared queries are cached. */
const memories = new WeakMap<Reader, Memory>()

/** Lets prepared queries of this reader be cached until `state` changes. Undefined means that the state is unknown. */
export function rememberWhileUnchanged(db: Reader, state: () => number | undefined): void {
  memories.set(db, { state, known: lru(MEMORY_BYTES, 'queries') })
}

/** How many queries were prepared; the next one's id. */
let prepared = 0

/**
 * A query for the hottest paths, compiled once, because building a query costs several times as much as running it. If
 * the reader knows that nothing was committed since, the result is the same object as before. So results are frozen, and
 * what is made of a result can be cached by its identity.
 * @param build makes the query with `argument(0)`, `argument(1)` … in place of values
 * @param read makes the result from the rows and nothing else; without it, the rows are the result
 * @returns a function that runs the query with values; its result is a promise unless it comes from the cache
 */
export function prepare<R, T = readonly R[]>(
  build: (db: Reader, argument: (index: number) => string) => Select<R>,
  read: (rows: readonly R[]) => T = (rows) => rows as T,
): (db: Reader, ...values: string[]) => T | Promise<T> {
  const compiled = new Map<boolean, Compiled>()
  const id = prepared++

  async function run(db: Reader, values: string[]): Promise<T> {
    // A reader is a Kysely instance or a transaction; its type only hides the methods that write.
    const kysely = db as Kysely<Schema>
    const postgres = kysely.getExecutor().adapter instanceof PostgresAdapter
    let query = compiled.get(postgres)
    if (!query) compiled.set(postgres, (query = compile(build, db)))

    const parameters = query.parameters.map((one) =>
      'argument' in one ? values[one.argument] : one.constant,
    )
    const { rows } = await kysely.executeQuery<R>(CompiledQuery.raw(query.sql, parameters))
    for (const row of rows) Object.freeze(row)
    return Object.freeze(read(rows))
  }

  return (db, ...values) => {
    const memory = memories.get(db)
    const state = memory?.state()
    if (!memory || state === undefined) return run(db, values)

    const key = [id, ...values].join('\u0000')
    const before = memory.known.get(key)
    if (before?.state === state) return before.result as T

    // The result can be newer than the state, but never older. At worst, it is read again.
    return run(db, values).then((result) => {
      memory.known.set(key, { state, result }, heapSize(result))
      return result
    })
  }
}

const MARK = '\u0000argument '

function compile<R>(
  build: (db: Reader, argument: (index: number) => string) => Select<R>,
  db: Reader,
): Compiled {
  const { sql, parameters } = build(db, (index) => MARK + index).compile()
  return {
    sql,
    parameters: parameters.map((value) =>
      typeof value === 'string' && value.startsWith(MARK)
        ? { argument: Number(value.slice(MARK.length)) }
        : { constant: value },
    ),
  }
}

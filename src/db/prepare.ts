import { CompiledQuery, type Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely'
import type { Reader, Schema } from './schema.ts'

// Kysely's builders have two type parameters that do not matter for running a query.
// oxlint-disable-next-line typescript/no-explicit-any
type Select<R> = SelectQueryBuilder<any, any, R>

interface Compiled {
  sql: string
  /** For each parameter of the SQL, the index of an argument or a constant. */
  parameters: ({ argument: number } | { constant: unknown })[]
}

/** Cached results of one query, and the state of the database that they belong to. */
interface Known<T> {
  state: number
  results: Map<string, T>
}

const MAX_CACHED = 5_000

/** For some readers, a cheap function whose value changes whenever a transaction is committed. */
const states = new WeakMap<Reader, () => number | undefined>()

/** Lets prepared queries of this reader be cached until `state` changes. Undefined means that the state is unknown. */
export function rememberWhileUnchanged(db: Reader, state: () => number | undefined): void {
  states.set(db, state)
}

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
  const caches = new WeakMap<Reader, Known<T>>()

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
    const state = states.get(db)?.()
    if (state === undefined) return run(db, values)

    let cached = caches.get(db)
    if (cached?.state !== state || cached.results.size > MAX_CACHED)
      caches.set(db, (cached = { state, results: new Map() }))
    const { results } = cached
    const key = values.length === 1 ? (values[0] ?? '') : values.join('\u0000')
    if (results.has(key)) return results.get(key) as T

    // The result can be newer than the state, but never older. At worst, it is read again.
    return run(db, values).then((result) => {
      results.set(key, result)
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

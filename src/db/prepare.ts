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
interface Known<R> {
  state: number
  rows: Map<string, readonly R[]>
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
 * the reader knows that nothing was committed since, the rows come from a cache, so they are frozen.
 * @param build makes the query with `argument(0)`, `argument(1)` … in place of values
 * @returns a function that runs the query with values
 */
export function prepare<R>(
  build: (db: Reader, argument: (index: number) => string) => Select<R>,
): (db: Reader, ...values: string[]) => Promise<readonly R[]> {
  const compiled = new Map<boolean, Compiled>()
  const caches = new WeakMap<Reader, Known<R>>()

  async function run(db: Reader, values: string[]): Promise<readonly R[]> {
    // A reader is a Kysely instance or a transaction; its type only hides the methods that write.
    const kysely = db as Kysely<Schema>
    const postgres = kysely.getExecutor().adapter instanceof PostgresAdapter
    let query = compiled.get(postgres)
    if (!query) compiled.set(postgres, (query = compile(build, db)))

    const parameters = query.parameters.map((one) =>
      'argument' in one ? values[one.argument] : one.constant,
    )
    const { rows } = await kysely.executeQuery<R>(CompiledQuery.raw(query.sql, parameters))
    return rows
  }

  return async (db, ...values) => {
    const state = states.get(db)?.()
    if (state === undefined) return run(db, values)

    let known = caches.get(db)
    if (known?.state !== state || known.rows.size > MAX_CACHED)
      caches.set(db, (known = { state, rows: new Map() }))
    const key = values.length === 1 ? (values[0] ?? '') : values.join('\u0000')
    const before = known.rows.get(key)
    if (before) return before

    // The rows can be newer than the state, but never older. At worst, they are read again.
    const rows = await run(db, values)
    for (const row of rows) Object.freeze(row)
    known.rows.set(key, rows)
    return rows
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

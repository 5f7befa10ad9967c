import { CompiledQuery, type Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely'
import type { Reader, Schema } from './schema.ts'

// Kysely's builders differ in two type parameters that are of no concern to whoever runs them.
// oxlint-disable-next-line typescript/no-explicit-any
type Select<R> = SelectQueryBuilder<any, any, R>

interface Compiled {
  sql: string
  /** For each parameter of the SQL, which argument it takes, or the constant it is. */
  parameters: ({ argument: number } | { constant: unknown })[]
}

/** Answers of one query that are still true, and the state of the database they were true in. */
interface Known<R> {
  state: number
  rows: Map<string, readonly R[]>
}

const ANSWERS = 5_000

/** For a reader that can tell cheaply whether anything was committed since it last looked: a number that then differs. */
const states = new WeakMap<Reader, () => number>()

/** Lets prepared queries of this reader be answered from memory while its database stays the same. */
export function rememberWhileUnchanged(db: Reader, state: () => number): void {
  states.set(db, state)
}

/**
 * A query of the hottest paths, compiled once: building it costs several times what running it does. Where the reader
 * can tell that nothing was committed by anyone, it is not even run; so its rows are frozen.
 * @param build makes the query with `argument(0)`, `argument(1)` … where values go
 * @returns runs it with those values
 */
export function prepare<R>(
  build: (db: Reader, argument: (index: number) => string) => Select<R>,
): (db: Reader, ...values: string[]) => Promise<readonly R[]> {
  const compiled = new Map<boolean, Compiled>()
  const answers = new WeakMap<Reader, Known<R>>()

  async function run(db: Reader, values: string[]): Promise<readonly R[]> {
    // A reader is a whole Kysely or a transaction of it; its type only hides what could write.
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

    let known = answers.get(db)
    if (known?.state !== state || known.rows.size > ANSWERS)
      answers.set(db, (known = { state, rows: new Map() }))
    const key = values.length === 1 ? (values[0] ?? '') : values.join('\u0000')
    const before = known.rows.get(key)
    if (before) return before

    // What is read now may be newer than the state that was asked for, never older: at worst it is read again.
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

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

/**
 * A query of the hottest paths, built and compiled once: building costs several times what running does.
 * @param build makes the query with `argument(0)`, `argument(1)` … where values go
 * @returns runs it with those values
 */
export function prepare<R>(
  build: (db: Reader, argument: (index: number) => string) => Select<R>,
): (db: Reader, ...values: string[]) => Promise<R[]> {
  const known = new Map<boolean, Compiled>()

  return async (db, ...values) => {
    // A reader is a whole Kysely or a transaction of it; its type only hides what could write.
    const kysely = db as Kysely<Schema>
    const postgres = kysely.getExecutor().adapter instanceof PostgresAdapter
    let compiled = known.get(postgres)
    if (!compiled) known.set(postgres, (compiled = compile(build, db)))

    const parameters = compiled.parameters.map((one) =>
      'argument' in one ? values[one.argument] : one.constant,
    )
    const { rows } = await kysely.executeQuery<R>(CompiledQuery.raw(compiled.sql, parameters))
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

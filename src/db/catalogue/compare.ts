import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { append } from '../../core/data/lists.ts'
import type { Catalogue, CataloguedTable } from './catalogue.ts'

/** One difference between two catalogues. */
export interface SchemaDifference {
  /** A `fault` makes statements of the server fail, or returns other rows; a `warning` is something that the server does not use. */
  severity: 'fault' | 'warning'
  message: string
}

/** The catalogue that the migrations make, which `npm run migrations` writes. */
export function expectedCatalogue(dialect: 'sqlite' | 'postgres'): Catalogue {
  return JSON.parse(readFileSync(join(import.meta.dirname, `${dialect}.json`), 'utf8')) as Catalogue
}

/** How a catalogue differs from the expected one, faults first. Tables, columns and indexes that an operator has added are warnings. */
export function compareCatalogues(expected: Catalogue, actual: Catalogue): SchemaDifference[] {
  const differences: SchemaDifference[] = []
  for (const [name, table] of Object.entries(expected)) {
    const found = actual[name]
    if (found) append(differences, compareTables(name, table, found))
    else differences.push(fault(`the table "${name}" is missing`))
  }
  for (const name of Object.keys(actual))
    if (!(name in expected)) differences.push(warning(`the table "${name}" is not Lectern's`))
  return differences.toSorted((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'))
}

function compareTables(name: string, expected: CataloguedTable, actual: CataloguedTable): SchemaDifference[] {
  const of = `of the table "${name}"`
  const more = (definitions: Record<string, string>, known: Record<string, string>) =>
    Object.entries(definitions).filter(([one]) => !(one in known))
  return [
    ...compareDefinitions('column', of, expected.columns, actual.columns),
    ...compareDefinitions('index', of, expected.indexes, actual.indexes),
    ...listDifference(expected.constraints, actual.constraints).map((one) =>
      fault(`the constraint "${one}" ${of} is missing`),
    ),
    ...more(actual.columns, expected.columns).map(([column, definition]) =>
      // A row that Lectern inserts has no value for it.
      / not null(?!.* default )/.test(definition)
        ? fault(`the column "${column}" ${of} is not Lectern's, and requires a value`)
        : warning(`the column "${column}" ${of} is not Lectern's`),
    ),
    ...more(actual.indexes, expected.indexes).map(([index, definition]) =>
      definition.startsWith('unique ')
        ? fault(`the unique index "${index}" ${of} is not Lectern's, and can reject rows`)
        : warning(`the index "${index}" ${of} is not Lectern's`),
    ),
    ...listDifference(actual.constraints, expected.constraints).map((one) =>
      fault(`the constraint "${one}" ${of} is not Lectern's, and can reject rows`),
    ),
  ]
}

function compareDefinitions(
  kind: string,
  of: string,
  expected: Record<string, string>,
  actual: Record<string, string>,
): SchemaDifference[] {
  return Object.entries(expected).flatMap(([name, definition]) => {
    const found = actual[name]
    if (found === definition) return []
    return found === undefined
      ? fault(`the ${kind} "${name}" ${of} is missing`)
      : fault(`the ${kind} "${name}" ${of} is "${found}" instead of "${definition}"`)
  })
}

/** What the first list has more often than the second. */
function listDifference(from: readonly string[], without: readonly string[]): string[] {
  const left = [...without]
  return from.filter((one) => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

const fault = (message: string): SchemaDifference => ({ severity: 'fault', message })
const warning = (message: string): SchemaDifference => ({ severity: 'warning', message })

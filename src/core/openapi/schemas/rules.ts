/** What a schema asks of a value besides its type. */
import { isRecord } from '../../data/is-record.ts'
import { isNull, itemsIn } from './schema.ts'

type Fields = Record<string, unknown>

/** Characters of an allowed value, and how many are listed. */
const LONGEST_VALUE = 80
const MOST_ALLOWED = 30

/** The rules that a value has to follow besides its type, such as `≥ 1` or `/^a/`. */
export function constraintsOf(schema: Fields): string[] {
  const rules: string[] = []
  const number = (key: string, show: (value: number) => string) => {
    const value = schema[key]
    if (typeof value === 'number') rules.push(show(value))
  }
  // In OpenAPI 3.0, an exclusive bound is a flag beside the bound.
  number('minimum', (value) => `${schema['exclusiveMinimum'] === true ? '>' : '≥'} ${value}`)
  number('exclusiveMinimum', (value) => `> ${value}`)
  number('maximum', (value) => `${schema['exclusiveMaximum'] === true ? '<' : '≤'} ${value}`)
  number('exclusiveMaximum', (value) => `< ${value}`)
  number('multipleOf', (value) => `multiple of ${value}`)
  number('minLength', (value) => `length ≥ ${value}`)
  number('maxLength', (value) => `length ≤ ${value}`)
  number('minItems', (value) => `items ≥ ${value}`)
  number('maxItems', (value) => `items ≤ ${value}`)
  if (schema['uniqueItems'] === true) rules.push('unique items')
  number('minProperties', (value) => `fields ≥ ${value}`)
  number('maxProperties', (value) => `fields ≤ ${value}`)
  if (typeof schema['pattern'] === 'string') rules.push(shownPattern(schema['pattern']))
  const names = schema['propertyNames']
  if (isRecord(names) && typeof names['pattern'] === 'string')
    rules.push(`names ${shownPattern(names['pattern'])}`)
  return rules
}

/** A regular expression as readers see it. */
export const shownPattern = (pattern: string) => `/${shown(pattern)}/`

/** The values that a schema allows, as they are written. */
export function allowedValues(schema: Fields): string[] {
  return writtenValues(valuesOf(schema))
}

/** The first values as they are written, with an ellipsis if there are more. */
export function writtenValues(values: readonly unknown[]): string[] {
  const written = values.slice(0, MOST_ALLOWED).map(writtenValue)
  return values.length > MOST_ALLOWED ? [...written, '…'] : written
}

/** The only values that match a schema; none if it does not list them. */
export function valuesOf(schema: Fields): unknown[] {
  if (schema['const'] !== undefined) return [schema['const']]
  if (Array.isArray(schema['enum'])) return schema['enum'] as unknown[]
  for (const keyword of ['oneOf', 'anyOf']) {
    const variants = itemsIn(schema[keyword])
    const values = variants.flatMap((one) => (isRecord(one) ? constantOf(one) : []))
    if (values.length > 0 && values.length === variants.length) return values
  }
  return []
}

/** The value of a variant that is a single value without a description. */
function constantOf(variant: Fields): unknown[] {
  if (isNull(variant)) return [null]
  const { const: only, description } = variant
  return only === undefined || description !== undefined ? [] : [only]
}

/** A value as readers see it: text without quotes, anything else as JSON. */
export function writtenValue(value: unknown): string {
  return shown(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}

const shown = (text: string) => (text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text)

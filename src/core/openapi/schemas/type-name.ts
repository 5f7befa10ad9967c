import type { SpecSourceParts } from '../described.ts'
import { valuesOf } from './rules.ts'
import {
  firstItemsOf,
  isNullable,
  itemsOf,
  type ResolvedSchema,
  resolveSchema,
  typesOf,
  variantsOf,
} from './schema.ts'
import { isRecord } from '../../data/is-record.ts'

type Fields = Record<string, unknown>

/** How many types inside one another a name shows, and how many of one choice or at the beginning of an array. */
const DEEPEST = 4
const MOST_NAMED = 5
/** Schemas that one name is made of. */
const MOST_READ = 30

/** The parts of the specification, and how many more schemas the name may be made of. */
interface Naming {
  parts: SpecSourceParts
  left: number
}

/** The name of a type for readers, such as `string`, `Pet[]`, `[number, string]` or `integer | null`. */
export function typeName(parts: SpecSourceParts, value: unknown): string {
  return typeNames({ parts, left: MOST_READ }, value, 0).join(' | ')
}

/** The names of the types that match a schema, each once, and null last. */
function typeNames(naming: Naming, value: unknown, depth: number): string[] {
  if (naming.left <= 0) return ['…']
  naming.left -= 1
  const resolved = resolveSchema(naming.parts, value)
  const all = namesOf(naming, resolved, depth)
  const names = new Set(all.filter((name) => name !== 'null'))
  const allowsNull = all.includes('null') || isNullable(naming.parts, resolved.schema)
  return allowsNull && !names.has('any') ? [...names, 'null'] : [...names]
}

/** The names of the types that a schema itself says. */
function namesOf(naming: Naming, { schema, name }: ResolvedSchema, depth: number): string[] {
  const types = typesOf(schema)
  if (isFile(schema)) return [fileName(schema)]
  const array = depth < DEEPEST ? arrayName(naming, schema, depth) : undefined
  if (array !== undefined) return [array, ...types.filter((type) => type !== 'array')]
  const isObject = types.includes('object') || isRecord(schema['properties']) || schema['allOf'] !== undefined
  if (isObject && name !== undefined) return [name, ...types.filter((type) => type !== 'object')]
  if (types.length > 0) return withFormat(types, schema['format'])
  const variants = variantsOf(schema)
  if (variants && depth < DEEPEST) {
    if (name !== undefined) return [name]
    const shown = variants.variants.slice(0, MOST_NAMED).flatMap((one) => typeNames(naming, one, depth + 1))
    return variants.variants.length > MOST_NAMED ? [...shown, '…'] : shown
  }
  if (isObject) return ['object']
  if (name !== undefined) return [name]
  const values = valuesOf(schema)
  return values.length === 0 ? ['any'] : values.map(jsonType)
}

function arrayName(naming: Naming, schema: Fields, depth: number): string | undefined {
  const items = itemsOf(schema)
  const first = firstItemsOf(schema)
  const inside = items === undefined ? undefined : typeNames(naming, items, depth + 1).join(' | ')
  const list = inside === undefined ? undefined : inside.includes(' ') ? `(${inside})[]` : `${inside}[]`
  if (first.length === 0) return list
  const names = first.slice(0, MOST_NAMED).map((one) => typeNames(naming, one, depth + 1).join(' | '))
  if (first.length > MOST_NAMED) names.push('…')
  else if (list !== undefined) names.push(`...${list}`)
  else if (schema['items'] !== false && schema['maxItems'] !== first.length) names.push('…')
  return `[${names.join(', ')}]`
}

/** Whether a schema describes bytes: `format: binary` of OpenAPI 3.0, or a media type without a coding of 3.1. */
export function isFile({ type, format, contentMediaType, contentEncoding }: Fields): boolean {
  if (format === 'binary') return true
  return (
    (type === undefined || type === 'string') &&
    typeof contentMediaType === 'string' &&
    contentEncoding === undefined
  )
}

function fileName({ contentMediaType: type }: Fields): string {
  return typeof type === 'string' && type !== 'application/octet-stream'
    ? `file (${type.slice(0, 200)})`
    : 'file'
}

const NUMBERS = new Set(['int32', 'int64', 'float', 'double', 'decimal'])

/** Adds a format to the type that it is a format of. */
function withFormat(types: readonly string[], format: unknown): string[] {
  if (typeof format !== 'string') return [...types]
  const isOf = (type: string) =>
    NUMBERS.has(format) ? type === 'integer' || type === 'number' : type === 'string'
  const place = Math.max(types.findIndex(isOf), 0)
  return types.map((type, i) => (i === place ? `${type} (${format})` : type))
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

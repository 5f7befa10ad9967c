/** Reads the schemas of a specification as far as they are shown. Every cost is bounded by `SchemaBudget`. */
import { isRecord } from '../data/is-record.ts'
import type { SpecSourceParts } from './described.ts'
import { partPointer } from './spec-parts.ts'
import { isReference, lookUpReference } from './references.ts'

type Fields = Record<string, unknown>

/** The remaining work that one page may take. */
export interface SchemaBudget {
  /** Schemas that are still shown, or written into examples. */
  schemas: number
}

/** References that may lead on to one another. */
const MOST_HOPS = 20
/** Schemas that one schema combines by `allOf`, directly or not. */
const MOST_COMBINED = 100
/** Characters of an allowed value, and how many are listed. */
const LONGEST_VALUE = 80
const MOST_ALLOWED = 30

/** A schema without its reference. */
export interface ResolvedSchema {
  schema: Fields
  /** The name of the component, if a reference led to it. */
  name?: string
  /** The reference that led to it. */
  reference?: string
}

/** The target of a reference, in the parts that are there; other values stay as they are. */
export function resolvePart(parts: SpecSourceParts, value: unknown): { value: unknown; reference?: string } {
  let at = value
  let reference: string | undefined
  for (let hops = 0; isReference(at); hops += 1) {
    reference = at.$ref
    if (hops === MOST_HOPS) return { value: undefined, reference }
    const pointer = partPointer(reference)
    const part = Object.hasOwn(parts, pointer) ? parts[pointer] : undefined
    const rest = reference.replace(/^#/, '').split('/').slice(pointer.split('/').length)
    at = rest.length === 0 ? part : isRecord(part) ? lookUpReference(part, `#/${rest.join('/')}`) : undefined
  }
  return reference === undefined ? { value: at } : { value: at, reference }
}

/** A schema whose reference is followed; an empty one if the target is not there. */
export function resolveSchema(parts: SpecSourceParts, value: unknown): ResolvedSchema {
  const { value: found, reference } = resolvePart(parts, value)
  const schema = isRecord(found) ? found : {}
  if (reference === undefined) return { schema }
  const name = decodeName(reference.split('/').at(-1) ?? '')
  // The keywords beside a reference add to its target (OpenAPI 3.1).
  const { $ref: _, ...beside } = value as Fields
  return { schema: { ...schema, ...beside }, name, reference }
}

function decodeName(name: string): string {
  const text = name.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A property of an object. */
export interface SchemaProperty {
  name: string
  schema: unknown
  required: boolean
}

/** The properties of an object, with those of the schemas that it combines by `allOf`. */
export function propertiesOf(parts: SpecSourceParts, schema: Fields): SchemaProperty[] {
  const found = new Map<string, SchemaProperty>()
  const required = new Set<unknown>()
  for (const one of combinedIn(parts, schema)) {
    for (const name of itemsIn(one['required'])) required.add(name)
    if (!isRecord(one['properties'])) continue
    for (const [name, value] of Object.entries(one['properties']))
      found.set(name, { name, schema: value, required: false })
  }
  return [...found.values()].map((one) => ({ ...one, required: required.has(one.name) }))
}

/** The schemas that a schema combines, and last itself. */
function combinedIn(parts: SpecSourceParts, schema: Fields): Fields[] {
  const found: Fields[] = []
  const waiting = [schema]
  for (let next = waiting.pop(); next && found.length < MOST_COMBINED; next = waiting.pop()) {
    found.push(next)
    for (const one of itemsIn(next['allOf']).slice(0, MOST_COMBINED))
      waiting.push(resolveSchema(parts, one).schema)
  }
  return found.toReversed()
}

/** The schemas of which a value has to match one or any, without that of null. */
export function variantsOf(schema: Fields): { keyword: 'oneOf' | 'anyOf'; variants: unknown[] } | undefined {
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const variants = itemsIn(schema[keyword]).filter((one) => !(isRecord(one) && one['type'] === 'null'))
    if (variants.length > 0) return { keyword, variants: variants.slice(0, 50) }
  }
  return undefined
}

/** The items of an array; undefined for other schemas. */
export function itemsOf({ items, type }: Fields): unknown {
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'))
  return items ?? (isArray ? {} : undefined)
}

/** The name of a type for readers, such as `string`, `Pet[]` or `integer | null`. */
export function typeName(parts: SpecSourceParts, value: unknown, depth = 0): string {
  const { schema, name } = resolveSchema(parts, value)
  const types = typesOf(schema)
  const items = itemsOf(schema)
  if (items !== undefined && depth < 4) {
    const inside = typeName(parts, items, depth + 1)
    const array = inside.includes(' ') ? `(${inside})[]` : `${inside}[]`
    return [array, ...types.filter((type) => type !== 'array')].join(' | ')
  }
  const isObject = types.includes('object') || isRecord(schema['properties']) || schema['allOf'] !== undefined
  if (isObject && name !== undefined) return [name, ...types.filter((type) => type !== 'object')].join(' | ')
  if (types.length > 0) {
    const format = schema['format']
    const text = types.join(' | ')
    return typeof format === 'string' ? `${text} (${format})` : text
  }
  const variants = variantsOf(schema)
  if (variants && depth < 4) {
    if (name !== undefined) return name
    const names = variants.variants.slice(0, 5).map((one) => typeName(parts, one, depth + 1))
    return [...new Set(names)].join(' | ')
  }
  if (isObject) return 'object'
  if (name !== undefined) return name
  return schema['enum'] !== undefined || schema['const'] !== undefined ? 'enum' : 'any'
}

function typesOf({ type }: Fields): string[] {
  return [type].flat().filter((one): one is string => typeof one === 'string')
}

/** The rules that a value has to follow besides its type, such as `≥ 1` or `/^a/`. */
export function constraintsOf(schema: Fields): string[] {
  const rules: string[] = []
  const number = (key: string, show: (value: number) => string) => {
    const value = schema[key]
    if (typeof value === 'number') rules.push(show(value))
  }
  number('minimum', (value) => `≥ ${value}`)
  number('exclusiveMinimum', (value) => `> ${value}`)
  number('maximum', (value) => `≤ ${value}`)
  number('exclusiveMaximum', (value) => `< ${value}`)
  number('minLength', (value) => `length ≥ ${value}`)
  number('maxLength', (value) => `length ≤ ${value}`)
  number('minItems', (value) => `items ≥ ${value}`)
  number('maxItems', (value) => `items ≤ ${value}`)
  if (typeof schema['pattern'] === 'string') rules.push(`/${shown(schema['pattern'])}/`)
  return rules
}

/** The values that a schema allows, as they are written. */
export function allowedValues(schema: Fields): string[] {
  const values = schema['const'] === undefined ? itemsIn(schema['enum']) : [schema['const']]
  const written = values.slice(0, MOST_ALLOWED).map(writtenValue)
  return values.length > MOST_ALLOWED ? [...written, '…'] : written
}

/** A value as readers see it: text without quotes, anything else as JSON. */
export function writtenValue(value: unknown): string {
  return shown(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}

const shown = (text: string) => (text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text)

/** An example of a value: the one that the schema has, or one that is made up from its types. */
export function exampleOf(
  parts: SpecSourceParts,
  value: unknown,
  budget: SchemaBudget,
  path: readonly string[] = [],
): unknown {
  if (budget.schemas <= 0 || path.length > 8) return null
  budget.schemas -= 1
  const { schema, reference } = resolveSchema(parts, value)
  const given = givenExample(schema)
  if (given !== undefined) return given
  if (reference !== undefined && path.includes(reference)) return {}
  const inside = [...path, reference ?? '']

  const properties = propertiesOf(parts, schema)
  if (properties.length > 0) {
    const entries = properties.map(({ name, schema: one }) => [name, exampleOf(parts, one, budget, inside)])
    return Object.fromEntries(entries) as Fields
  }
  const items = itemsOf(schema)
  if (items !== undefined) return [exampleOf(parts, items, budget, inside)]
  const [variant] = variantsOf(schema)?.variants ?? itemsIn(schema['allOf'])
  if (variant !== undefined) return exampleOf(parts, variant, budget, inside)
  return exampleOfType(typesOf(schema)[0], schema['format'])
}

function givenExample(schema: Fields): unknown {
  const { example, examples, default: fallback, const: only, enum: allowed } = schema
  return example ?? itemsIn(examples)[0] ?? only ?? fallback ?? itemsIn(allowed)[0]
}

const TEXTS: Record<string, string> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  email: 'user@example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
}

function exampleOfType(type: string | undefined, format: unknown): unknown {
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type === 'object') return {}
  if (type === 'null') return null
  return typeof format === 'string' && Object.hasOwn(TEXTS, format) ? TEXTS[format] : 'text'
}

/** A list, or nothing if the value is none. */
export function itemsIn(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}

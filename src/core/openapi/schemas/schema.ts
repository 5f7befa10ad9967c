/** Reads the schemas of a specification as far as they are shown. Every cost is bounded by `SchemaBudget`. */
import { isRecord } from '../../data/is-record.ts'
import type { SpecSourceParts } from '../described.ts'
import { partPointer } from '../spec-parts.ts'
import { isReference, lookUpReference } from '../references.ts'

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
/** Schemas of which a value has to match one or any. */
const MOST_VARIANTS = 50

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

/**
 * A schema whose reference is followed; an empty one if the target is not there. A schema that only adds null, or remarks
 * such as a description, to another one is read as this one, so that both have one name, fields and allowed values.
 */
export function resolveSchema(parts: SpecSourceParts, value: unknown, hops = 0): ResolvedSchema {
  const resolved = followReference(parts, value)
  const wrapped = hops < MOST_HOPS ? wrappedIn(resolved.schema) : undefined
  if (!wrapped) return resolved
  const inner = resolveSchema(parts, wrapped.only, hops + 1)
  const schema = { ...inner.schema, ...wrapped.beside }
  return {
    ...inner,
    ...resolved,
    schema: wrapped.allowsNull && !isNullable(parts, schema) ? withNull(schema) : schema,
  }
}

function followReference(parts: SpecSourceParts, value: unknown): ResolvedSchema {
  const { value: found, reference } = resolvePart(parts, value)
  const schema = isRecord(found) ? found : {}
  if (reference === undefined) return { schema }
  const name = decodeName(reference.split('/').at(-1) ?? '')
  // The keywords beside a reference add to its target (OpenAPI 3.1).
  const { $ref: _, ...beside } = value as Fields
  return { schema: { ...schema, ...beside }, name, reference }
}

/** Keywords that say something about a schema without changing which values match. */
const REMARKS = new Set(
  'title description default example examples deprecated readOnly writeOnly nullable externalDocs xml $comment'.split(
    ' ',
  ),
)

/** The only schema that another one has in `allOf`, `oneOf` or `anyOf` besides null, with the remarks beside it. */
function wrappedIn(schema: Fields): { only: unknown; beside: Fields; allowsNull: boolean } | undefined {
  const { allOf, oneOf, anyOf, ...beside } = schema
  const [list, ...others] = [allOf, oneOf, anyOf].filter((one) => Array.isArray(one))
  if (!list || others.length > 0) return undefined
  if (Object.keys(beside).some((key) => !REMARKS.has(key) && !key.startsWith('x-'))) return undefined
  const isChoice = list !== allOf
  const [only, ...more] = isChoice ? list.filter((one) => !isNull(one)) : list
  if (only === undefined || more.length > 0) return undefined
  return { only, beside, allowsNull: isChoice && list.length > 1 }
}

/** Whether a schema says that only null matches; a reference does not say it. */
export function isNull(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { type, const: only, enum: allowed } = value
  return (
    type === 'null' ||
    only === null ||
    (Array.isArray(allowed) && allowed.length === 1 && allowed[0] === null)
  )
}

/** A schema that also matches null. */
function withNull(schema: Fields): Fields {
  const { const: only, enum: allowed, ...rest } = schema
  if (only !== undefined) return { ...rest, enum: [only, null], nullable: true }
  return Array.isArray(allowed)
    ? { ...rest, enum: [...(allowed as unknown[]), null], nullable: true }
    : { ...schema, nullable: true }
}

/** Schemas that are looked at to find out whether null matches. */
const MOST_ASKED = 10

/** Whether null matches a schema that says more about its values than nothing. */
export function isNullable(parts: SpecSourceParts, schema: Fields, room = { left: MOST_ASKED }): boolean {
  room.left -= 1
  if (schema['nullable'] === true) return true
  if (schema['type'] !== undefined) return typesOf(schema).includes('null')
  if (schema['const'] !== undefined) return schema['const'] === null
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(null)
  const matches = (one: unknown) =>
    room.left > 0 && isNullable(parts, followReference(parts, one).schema, room)
  const choices = [...itemsIn(schema['oneOf']), ...itemsIn(schema['anyOf'])]
  if (choices.length > 0) return choices.some(isNull) || choices.some(matches)
  const combined = itemsIn(schema['allOf'])
  return combined.length > 0 && combined.every(matches)
}

/** The types that a schema names. */
export function typesOf({ type }: Fields): string[] {
  return [type].flat().filter((one): one is string => typeof one === 'string')
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
    const variants = itemsIn(schema[keyword]).slice(0, MOST_VARIANTS)
    const shown = variants.filter((one) => !isNull(one))
    if (shown.length > 0 && !areConstants(shown)) return { keyword, variants: shown }
  }
  return undefined
}

/** Whether all schemas of a choice are single values without a description: a list of allowed values. */
function areConstants(variants: readonly unknown[]): boolean {
  return variants.every(
    (one) => isRecord(one) && one['const'] !== undefined && one['description'] === undefined,
  )
}

/** The items of an array that follow those with a place of their own; undefined for other schemas. */
export function itemsOf({ items, type, prefixItems }: Fields): unknown {
  if (items === false) return undefined
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'))
  return items ?? (isArray && !Array.isArray(prefixItems) ? {} : undefined)
}

/** The first items of an array, each of which has its own schema. */
export const firstItemsOf = ({ prefixItems }: Fields): unknown[] =>
  itemsIn(prefixItems).slice(0, MOST_VARIANTS)

/** A list, or nothing if the value is none. */
export function itemsIn(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}

import { Ajv, type ErrorObject, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import type { Fault } from './errors.ts'
import { findBadValue, isSmall } from './text.ts'

type Part = 'params' | 'query' | 'body'

/** Faults that one answer tells of; who has more to mend than this mends these first. */
const MOST_FAULTS = 20
/** Values in a body whose faults are all looked for: finding each of a million costs seconds, and helps nobody. */
const SMALL = 2_000

// Queries and paths are text and are coerced. Bodies are not: `{"emoji": null}` clears, and "" is not null.
const strict = { useDefaults: true, strict: false, discriminator: true } as const
const lenient = { useDefaults: true, strict: false, coerceTypes: 'array' } as const
const checkers = { body: pairOf(strict), params: pairOf(lenient), query: pairOf(lenient) }

function pairOf(options: Options) {
  const first = new Ajv(options)
  const every = new Ajv({ ...options, allErrors: true })
  addFormats.default(first)
  addFormats.default(every)
  return { first, every }
}

/** The value without what its schema does not know: newer clients may send more, and nothing of it goes on. */
export function onlyKnown(schema: TSchema, value: unknown): unknown {
  return Value.Clean(schema, value)
}

/**
 * Compiles the check of one part of a request; the check answers its faults, none if the value is right: each fault
 * of a value of usual size, but at most 20, and the first one of a large value.
 */
export function compileCheck(schema: TSchema, part: Part): (value: unknown) => Fault[] {
  const first = checkers[part].first.compile(schema)
  const every = checkers[part].every.compile(schema)

  return (value) => {
    const bad = findBadValue(value)
    if (bad) return [{ path: [part, ...bad.place].join('.'), message: bad.message }]
    if (first(value)) return []
    const complete = isSmall(value, SMALL) ? every : first
    complete(value)
    return (complete.errors ?? []).slice(0, MOST_FAULTS).map((error) => faultOf(part, schema, error))
  }
}

function faultOf(part: Part, schema: TSchema, error: ErrorObject): Fault {
  const place = error.instancePath.split('/').slice(1)
  const { missingProperty, tag } = error.params as { missingProperty?: string; tag?: string }
  const name = missingProperty ?? tag
  if (name !== undefined) place.push(name)
  return { path: [part, ...place].join('.'), message: messageOf(schema, error) }
}

function messageOf(schema: TSchema, { keyword, message, params, schemaPath }: ErrorObject): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'enum') return `${message}: ${quoted(params.allowedValues as unknown[])}`
  if (keyword === 'discriminator')
    return `must be one of the allowed values: ${quoted(tagsIn(schema, schemaPath, String(params.tag)))}`
  return message ?? 'is not valid'
}

/** The words that tell the variants of an object apart, at the place of the schema where none of them was found. */
function tagsIn(schema: TSchema, schemaPath: string, tag: string): unknown[] {
  const steps = schemaPath.split('/').slice(1, -1)
  const place = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], schema)
  const { oneOf } = place as { oneOf: { properties: Record<string, { enum: unknown[] }> }[] }
  return oneOf.flatMap(({ properties }) => properties[tag]?.enum ?? [])
}

const quoted = (values: unknown[]) => values.map((value) => JSON.stringify(value)).join(', ')

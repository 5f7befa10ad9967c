import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import type { Fault } from './errors.ts'

type Part = 'params' | 'query' | 'body'

// Queries and paths are text and are coerced. Bodies are not: `{"emoji": null}` clears, and "" is not null.
const strictly = new Ajv({ allErrors: true, useDefaults: true, strict: false, discriminator: true })
const leniently = new Ajv({ allErrors: true, useDefaults: true, strict: false, coerceTypes: 'array' })
addFormats.default(strictly)
addFormats.default(leniently)

/** The value without what its schema does not know: newer clients may send more, and nothing of it goes on. */
export function onlyKnown(schema: TSchema, value: unknown): unknown {
  return Value.Clean(schema, value)
}

/** Compiles the check of one part of a request; the check answers its faults, none if the value is right. */
export function compileCheck(schema: TSchema, part: Part): (value: unknown) => Fault[] {
  const validate = (part === 'body' ? strictly : leniently).compile(schema)
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map((error) => faultOf(part, error)))
}

function faultOf(part: Part, { instancePath, params, message, keyword }: ErrorObject): Fault {
  const place = instancePath.split('/').slice(1)
  if (keyword === 'required') place.push(String(params.missingProperty))
  const allowed =
    keyword === 'enum'
      ? `: ${(params.allowedValues as unknown[]).map((v) => JSON.stringify(v)).join(', ')}`
      : ''
  const text = keyword === 'required' ? 'is required' : (message ?? 'is not valid')
  return { path: [part, ...place].join('.'), message: `${text}${allowed}` }
}

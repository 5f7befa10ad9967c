import type { ErrorObject as SchemaError } from 'ajv'

import { conditionFault } from '../../core/document/markdown/hiding-tags.ts'

interface Bounds {
  minimum?: number
  maximum?: number
}

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

const FORMATS: Record<string, string> = {
  email: 'must be an e-mail address',
  uri: 'must be an absolute URL',
  'date-time': 'must be an ISO 8601 date and time with a time zone, such as "2026-01-31T12:00:00Z"',
}

/** Longer values are not repeated in a message. */
const QUOTED_MAX = 100

/** Describes the fault of a value, as the end of a sentence that its path begins: `must be at most 5, but was 7`. */
export function messageOf(error: SchemaError): string {
  const { keyword, params, data } = error
  // Ajv adds the value and its schema in verbose mode.
  const schema = (error.parentSchema ?? {}) as Bounds & { 'x-pattern'?: string }
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'type':
      return `must be ${oneOfTypes(params.type as string | string[])}, but was ${typeOf(data)}`
    case 'enum':
      return `must be ${oneOfWords(params.allowedValues as unknown[])}${butWas(data)}`
    case 'pattern':
      return `must ${schema['x-pattern'] ?? 'have another form'}${butWas(error.propertyName ?? data)}`
    case 'format':
      return `${FORMATS[String(params.format)] ?? `must be a ${String(params.format)}`}${butWas(data)}`
    case 'x-unconditional':
      return conditionFault(String(data)) ?? 'is not valid'
    case 'minimum':
    case 'maximum':
      return `must be ${rangeOf(schema)}${butWas(data)}`
    case 'uniqueItems':
      return 'must not contain the same item twice'
    default:
      return sizeMessage(error) ?? error.message ?? 'is not valid'
  }
}

/** Bounds on length. They give the length and not the value, which may be a password. */
function sizeMessage({ keyword, params, data }: SchemaError): string | undefined {
  const bound = /^(min|max)(Length|Items|Properties)$/.exec(keyword)
  if (!bound) return undefined
  const [, side, of] = bound
  const limit = Number(params.limit)
  const noun = of === 'Length' ? 'character' : of === 'Items' ? 'item' : 'property'
  const plural = noun === 'property' ? 'properties' : `${noun}s`
  const size = typeof data === 'string' ? Array.from(data).length : Object.keys(data as object).length
  return `must have at ${side === 'min' ? 'least' : 'most'} ${limit} ${limit === 1 ? noun : plural}, but has ${size}`
}

function rangeOf({ minimum, maximum }: Bounds): string {
  if (minimum === undefined) return `at most ${maximum}`
  return maximum === undefined ? `at least ${minimum}` : `between ${minimum} and ${maximum}`
}

function butWas(value: unknown): string {
  const text = JSON.stringify(value)
  return text === undefined || text.length > QUOTED_MAX ? '' : `, but was ${text}`
}

/** `"a"`, or `one of "a", "b"`. */
export function oneOfWords(values: unknown[]): string {
  const words = values.map((value) => JSON.stringify(value)).join(', ')
  return values.length === 1 ? words : `one of ${words}`
}

function oneOfTypes(types: string | string[]): string {
  return [types]
    .flat()
    .map((type) => TYPES[type] ?? type)
    .join(' or ')
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return TYPES[Array.isArray(value) ? 'array' : typeof value] ?? typeof value
}

/** A variant of a union in a few words: `an object with "type" and "site"`. */
export function describeVariant(schema: Record<string, unknown>): string {
  if (Array.isArray(schema.enum)) return oneOfWords(schema.enum)
  const { type, properties, required } = schema as { type: string; properties?: object; required?: string[] }
  const names = (required ?? Object.keys(properties ?? {})).map((name) => `"${name}"`)
  const kind = oneOfTypes(type)
  return type === 'object' && names.length > 0 ? `${kind} with ${names.join(' and ')}` : kind
}

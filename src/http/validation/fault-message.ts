import type { ErrorObject as SchemaError } from 'ajv'

import { addressFault } from '../../core/document/markdown/hiding-tags.ts'
import { because, type ReasonId } from '../../core/languages/reasons.ts'
import { reasoned, type Reasoned } from '../../core/languages/reasoned.ts'
import type { TextValues } from '../../core/languages/wording.ts'

interface Described {
  minimum?: number
  maximum?: number
  /** Completes "must" in the message about a value that does not match `pattern`. */
  'x-pattern'?: string
  /** The reason of that message, if the pattern has its own. */
  'x-reason'?: ReasonOfValue
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

const FORMATS: Record<string, ReasonOfValue> = {
  email: 'not-email',
  uri: 'not-url',
  'date-time': 'not-date-time',
}

/** The reasons with two messages: one with the value, and one for a value that is too long to repeat. */
type ReasonOfValue = {
  [R in ReasonId]: `${R}-but-was` extends ReasonId ? R : never
}[ReasonId]

/** Longer values are not repeated in a message. */
const QUOTED_MAX = 100

/** Why a value is refused, as the end of a sentence that its path begins: `must be at most 5, but was 7`. */
export function reasonOfSchemaError(error: SchemaError): Reasoned {
  const { keyword, params, data } = error
  // Ajv adds the value and its schema in verbose mode.
  const schema = (error.parentSchema ?? {}) as Described
  switch (keyword) {
    case 'required':
      return because('required')
    case 'type':
      return because('wrong-type', { type: typesIn(params.type as string | string[]), actual: typeOf(data) })
    case 'enum':
      return butWas('wrong-value', data, { options: oneOfWords(params.allowedValues as unknown[]) })
    case 'pattern':
      return patternFault(schema, error.propertyName ?? data)
    case 'format':
      return formatFault(String(params.format), data)
    case 'x-unconditional':
      return addressFault(String(data)) ?? because('not-valid')
    case 'minimum':
    case 'maximum':
      return rangeFault(schema, data)
    case 'union':
      return because('wrong-value', { options: String(params.options) })
    case 'uniqueItems':
      return because('same-item-twice')
    default:
      return sizeFault(error) ?? reasoned(error.message ?? because('not-valid'))
  }
}

/** The reason with the value if it is short. */
function butWas(reason: ReasonOfValue, value: unknown, parameters: TextValues = {}): Reasoned {
  // The messages of these reasons take all parameters that they name from here.
  const make = because as (reason: ReasonId, values: TextValues) => Reasoned
  const text = JSON.stringify(value)
  if (text === undefined || text.length > QUOTED_MAX) return make(reason, parameters)
  return make(`${reason}-but-was`, { ...parameters, value: text })
}
function formatFault(format: string, value: unknown): Reasoned {
  const reason = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  return reason ? butWas(reason, value) : butWas('wrong-form', value, { form: `be a ${format}` })
}

function patternFault(schema: Described, value: unknown): Reasoned {
  const { 'x-reason': reason, 'x-pattern': form = 'have another form' } = schema
  return reason ? butWas(reason, value) : butWas('wrong-form', value, { form })
}

function rangeFault({ minimum: least, maximum: most }: Described, value: unknown): Reasoned {
  if (least !== undefined && most !== undefined) return butWas('not-between', value, { least, most })
  return least === undefined
    ? butWas('too-large', value, { most: most ?? Infinity })
    : butWas('too-small', value, { least })
}

const SIZES = {
  minLength: 'too-short',
  maxLength: 'too-long',
  minItems: 'too-few-items',
  maxItems: 'too-many-items',
  minProperties: 'too-few-properties',
  maxProperties: 'too-many-properties',
} as const

/** Bounds on length. They give the length and not the value, which may be a password. */
function sizeFault({ keyword, params, data }: SchemaError): Reasoned | undefined {
  if (!Object.hasOwn(SIZES, keyword)) return undefined
  const reason = SIZES[keyword as keyof typeof SIZES]
  const limit = Number(params.limit)
  const size = typeof data === 'string' ? Array.from(data).length : Object.keys(data as object).length
  return reason === 'too-short' && limit === 1 && size === 0
    ? because('empty')
    : because(reason, { limit, size })
}

/** `"a"`, or `one of "a", "b"`. */
export function oneOfWords(values: unknown[]): string {
  const words = values.map((value) => JSON.stringify(value)).join(', ')
  return values.length === 1 ? words : `one of ${words}`
}

function typesIn(types: string | string[]): string {
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
  const kind = typesIn(type)
  return type === 'object' && names.length > 0 ? `${kind} with ${names.join(' and ')}` : kind
}

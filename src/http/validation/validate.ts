import { Ajv, type ErrorObject as SchemaError, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { Settings } from 'typebox/system'
import { Clean } from 'typebox/value'
import { addConditionKeyword } from './condition-keyword.ts'
import { faultAt, type Fault, FAULTS_MAX } from '../errors.ts'
import { oneOfWords, reasonOfSchemaError } from './fault-message.ts'
import { addLengthKeywords } from './length-keywords.ts'
import { findBadValue, isSmall } from './bad-values.ts'
import { simplifyUnions } from './union-errors.ts'
import { because } from '../../core/languages/reasons.ts'
import { type Reasoned } from '../../core/languages/reasoned.ts'

type Part = 'params' | 'query' | 'body'

/** Up to this number of values, every fault of a body is reported. Finding all faults of a million values takes seconds. */
const SMALL = 2_000

/**
 * RFC 5321 permits a domain of one label, such as `localhost`. Ajv requires a dot, which would keep the default
 * administrator, `admin@localhost`, from signing in. Each label ends at a dot, so matching takes linear time.
 */
export const EMAIL_PATTERN =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i

const isUriOfSyntax = addFormats.default.get('uri') as (text: string) => boolean

/** RFC 3986 permits hosts and ports that no URL has, such as `http://a%00.example/`. */
const isUri = (text: string) => isUriOfSyntax(text) && URL.canParse(text)

// Queries and paths are text and are coerced. Bodies are not: `{"emoji": null}` clears a field, and "" is not null.
// In verbose mode, Ajv adds to each error the value and the schema that the message quotes.
// A test checks that all schemas are valid. To check them here would take a tenth of a start.
const valid = { validateSchema: false, meta: false } as const
const common = { ...valid, useDefaults: true, strict: false, verbose: true } as const
const strict = { ...common, discriminator: true } as const
const lenient = { ...common, coerceTypes: 'array' } as const
const checkers = { body: pairOf(strict), params: pairOf(lenient), query: pairOf(lenient) }

function pairOf(options: Options) {
  const first = new Ajv(options)
  const every = new Ajv({ ...options, allErrors: true })
  for (const ajv of [first, every]) {
    addFormats.default(ajv)
    addLengthKeywords(ajv)
    addConditionKeyword(ajv)
    ajv.addFormat('email', EMAIL_PATTERN)
    ajv.addFormat('uri', isUri)
  }
  return { first, every }
}

// The library would sort the variants of every union of a schema, from narrow to broad, again for each value: up to 5 ms.
// A test checks that the schemas of bodies need no sorting.
Settings.Set({ unionPrioritySort: false })

/** The value without the fields that its schema does not have. Newer clients may send them; nothing reads them. */
export function onlyKnown(schema: TSchema, value: unknown): unknown {
  return Clean(schema, value)
}

/**
 * Compiles the check of one part of a request. The check returns the first faults of a value, and none for a
 * valid one. Of a large value it returns only the first.
 */
export function compileCheck(schema: TSchema, part: Part): (value: unknown) => Fault[] {
  const first = checkers[part].first.compile(schema)
  // Most checks never meet a fault, and to compile takes milliseconds.
  let every: ValidateFunction | undefined

  return (value) => {
    const bad = findBadValue(value)
    if (bad) return [faultAt([part, ...bad.place].join('.'), bad.why)]
    if (first(value)) return []
    let found = first.errors
    if (isSmall(value, SMALL)) {
      every ??= checkers[part].every.compile(schema)
      every(value)
      found = every.errors
    }
    const errors = simplifyUnions(found ?? [])
    // An error of a key comes twice: once for what is wrong with it, and once for being a key.
    const own = errors.filter(({ keyword }) => keyword !== 'propertyNames')
    const faults = own.map((error) => faultOf(part, schema, error))
    return onePerPath(faults).slice(0, FAULTS_MAX)
  }
}

/** The first fault of each value: an empty title is too short, and there is no need to add that it is blank. */
function onePerPath(faults: Fault[]): Fault[] {
  const first = new Map<string, Fault>()
  for (const fault of faults) if (!first.has(fault.path)) first.set(fault.path, fault)
  return [...first.values()]
}

function faultOf(part: Part, schema: TSchema, error: SchemaError): Fault {
  const place = error.instancePath.split('/').slice(1)
  const { missingProperty, tag } = error.params as { missingProperty?: string; tag?: string }
  const name = missingProperty ?? tag ?? error.propertyName
  if (name !== undefined) place.push(name)
  const why =
    error.keyword === 'discriminator' ? badVariant(schema, error, String(tag)) : reasonOfSchemaError(error)
  return faultAt([part, ...place].join('.'), why)
}

/** Lists the words that tell the variants of a discriminated union apart. */
function badVariant(schema: TSchema, { schemaPath }: SchemaError, tag: string): Reasoned {
  const steps = schemaPath.split('/').slice(1, -1)
  const place = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], schema)
  const { oneOf } = place as { oneOf: { properties: Record<string, { enum: unknown[] }> }[] }
  const words = oneOf.flatMap(({ properties }) => properties[tag]?.enum ?? [])
  return because('wrong-value', { options: oneOfWords(words) })
}

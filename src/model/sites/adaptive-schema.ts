import { type Static, Type } from 'typebox'
import { isRecord } from '../../core/data/is-record.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { faultAt, type Fault, FAULTS_MAX } from '../../http/errors.ts'
import { oneOf, Timestamp } from '../common.ts'
import { because } from '../../core/languages/reasons.ts'
import { type Reasoned } from '../../core/languages/reasoned.ts'

/** The attributes of a site's visitors, as a JSON Schema with a few forms. */
export interface ClaimsSchema {
  type: 'object'
  properties: Record<string, ClaimSchema>
  additionalProperties: false
  $schema?: string
  $id?: string
}

type Scalar = { type: 'boolean' | 'number' | 'string'; enum?: string[]; description: string }

/** The schema of one attribute. */
export type ClaimSchema =
  | Scalar
  | { type: 'array'; description: string; items: Scalar }
  | {
      type: 'object'
      description: string
      properties: Record<string, ClaimSchema>
      additionalProperties: false
    }

export const ClaimsJsonSchema = Type.Unsafe<ClaimsSchema>({
  type: 'object',
  description:
    'A JSON Schema (draft 7) of the claims. `properties` are attributes of type `boolean`, `string` (optionally with an `enum` of texts), `number`, `array` of one of these, or `object`. Each has a `description`. An object, and the schema itself, has `properties` and `"additionalProperties": false`. Claims that a visitor may set without a signature are inside the object `unsigned`. Its `description` is always "Unsigned claims of the site visitor." and can be left out of a request.',
})

export const AdaptiveSchema = Type.Object(
  { object: oneOf(['site-adaptive-schema']), jsonSchema: ClaimsJsonSchema, updatedAt: Timestamp },
  { title: 'SiteAdaptiveSchema' },
)

export function toAdaptiveSchema({
  jsonSchema,
  updatedAt,
}: Pick<Row<'siteAdaptiveSchema'>, 'jsonSchema' | 'updatedAt'>): Static<typeof AdaptiveSchema> {
  const schema = describeUnsigned(JSON.parse(jsonSchema) as Record<string, unknown>)
  return { object: 'site-adaptive-schema', jsonSchema: schema as unknown as ClaimsSchema, updatedAt }
}

/** Gives `unsigned` its description. A schema without it may be stored, and strict clients know the object by it. */
function describeUnsigned(schema: Record<string, unknown>): Record<string, unknown> {
  if (!isRecord(schema.properties) || !isRecord(schema.properties.unsigned)) return schema
  const unsigned = { ...schema.properties.unsigned, description: UNSIGNED_DESCRIPTION }
  return { ...schema, properties: { ...schema.properties, unsigned } }
}

export function findAdaptiveSchema(db: Reader, siteId: string) {
  return db.selectFrom('siteAdaptiveSchema').selectAll().where('siteId', '=', siteId).executeTakeFirst()
}

const DEEPEST = 4
const MOST_ATTRIBUTES = 200
const MOST_VALUES = 100
/** Each value becomes a condition that `templateConditions` lists. */
const MOST_VALUES_IN_ALL = 1000
const LONGEST_NAME = 64
const LONGEST_TEXT = 500
const DIALECT = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/
/** Expressions cannot read these, whatever the schema declares. */
const UNREADABLE = new Set(['__proto__', 'constructor', 'prototype'])
const UNSIGNED_DESCRIPTION = 'Unsigned claims of the site visitor.'
const SCALARS = ['boolean', 'string', 'number']
const TYPES = [...SCALARS, 'array', 'object']

/** The faults of a schema, each with its position. @param path the path of the schema in the request */
export function faultsOfSchema(schema: unknown, path: string): Fault[] {
  const check: Check = { faults: [], attributes: 0, values: 0 }
  if (!isRecord(schema)) return [faultAt(path, because('not-object'))]
  onlyFields(check, schema, path, ['$schema', '$id', 'type', 'properties', 'additionalProperties'])
  if (schema.$schema !== undefined && !(typeof schema.$schema === 'string' && DIALECT.test(schema.$schema)))
    fault(check, `${path}.$schema`, 'must be "http://json-schema.org/draft-07/schema#"')
  if (schema.$id !== undefined) needText(check, schema.$id, `${path}.$id`)
  if (schema.type !== 'object') fault(check, `${path}.type`, 'must be "object"')
  const unsigned = isRecord(schema.properties) ? schema.properties.unsigned : undefined
  const isDescribed = isRecord(unsigned) && unsigned.description !== undefined
  checkProperties(check, isDescribed ? schema : describeUnsigned(schema), path, 0)
  if (unsigned !== undefined) checkUnsigned(check, unsigned, `${path}.properties.unsigned`)
  if (check.attributes > MOST_ATTRIBUTES)
    fault(check, path, `must have at most ${MOST_ATTRIBUTES} attributes, but has ${check.attributes}`)
  if (check.values > MOST_VALUES_IN_ALL)
    fault(check, path, `must list at most ${MOST_VALUES_IN_ALL} values in all, but lists ${check.values}`)
  return check.faults
}

/** The attributes that visitors set themselves. Their object has its description whether or not it was sent. */
function checkUnsigned(check: Check, unsigned: unknown, path: string): void {
  if (!isRecord(unsigned) || unsigned.type !== 'object')
    fault(check, `${path}.type`, 'must be "object", which has the unsigned claims')
  else if (unsigned.description !== undefined && unsigned.description !== UNSIGNED_DESCRIPTION)
    fault(check, `${path}.description`, `must be "${UNSIGNED_DESCRIPTION}", or be left out`)
}

interface Check {
  faults: Fault[]
  attributes: number
  values: number
}

function fault({ faults }: Check, path: string, why: Reasoned | string): void {
  if (faults.length < FAULTS_MAX && !faults.some((known) => known.path === path))
    faults.push(faultAt(path, why))
}

function onlyFields(check: Check, value: Record<string, unknown>, path: string, allowed: string[]): void {
  const unknown = Object.keys(value).find((name) => !allowed.includes(name))
  if (unknown !== undefined)
    fault(check, `${path}.${unknown}`, `is not a field of this schema; it can have ${allowed.join(', ')}`)
}

function checkProperties(check: Check, schema: Record<string, unknown>, path: string, depth: number): void {
  if (schema.additionalProperties !== false) fault(check, `${path}.additionalProperties`, 'must be false')
  const { properties } = schema
  if (!isRecord(properties)) return fault(check, `${path}.properties`, because('not-object'))
  for (const [name, attribute] of Object.entries(properties)) {
    check.attributes += 1
    if (check.attributes > MOST_ATTRIBUTES) return undefined
    const place = `${path}.properties.${name}`
    if (name === '' || name.length > LONGEST_NAME)
      fault(check, place, `must have a name of 1 to ${LONGEST_NAME} characters`)
    if (UNREADABLE.has(name)) fault(check, place, 'has a name that conditions cannot read; use another name')
    checkAttribute(check, attribute, place, depth + 1)
  }
  return undefined
}

function checkAttribute(check: Check, attribute: unknown, path: string, depth: number): void {
  if (!isRecord(attribute)) return fault(check, path, because('not-object'))
  if (depth > DEEPEST) return fault(check, path, `must not be more than ${DEEPEST} levels deep`)
  const { type } = attribute
  if (typeof type !== 'string' || !TYPES.includes(type))
    return fault(check, `${path}.type`, `must be one of ${TYPES.map((one) => `"${one}"`).join(', ')}`)
  needText(check, attribute.description, `${path}.description`)
  if (type === 'object') {
    onlyFields(check, attribute, path, ['type', 'description', 'properties', 'additionalProperties'])
    return checkProperties(check, attribute, path, depth)
  }
  if (type === 'array') {
    onlyFields(check, attribute, path, ['type', 'description', 'items'])
    const { items } = attribute
    if (!isRecord(items) || typeof items.type !== 'string' || !SCALARS.includes(items.type))
      return fault(check, `${path}.items`, 'must be an object of type "boolean", "string" or "number"')
    return checkAttribute(check, items, `${path}.items`, depth)
  }
  onlyFields(check, attribute, path, ['type', 'description', ...(type === 'string' ? ['enum'] : [])])
  if (type === 'string' && attribute.enum !== undefined) checkEnum(check, attribute.enum, `${path}.enum`)
  return undefined
}

function checkEnum(check: Check, values: unknown, path: string): void {
  if (!Array.isArray(values) || values.length === 0 || values.length > MOST_VALUES)
    return fault(check, path, `must be a list of 1 to ${MOST_VALUES} texts`)
  check.values += values.length
  for (const [i, value] of values.entries()) {
    if (typeof value !== 'string' || value.length > LONGEST_TEXT)
      fault(check, `${path}.${i}`, `must be a text of at most ${LONGEST_TEXT} characters`)
    else if (values.indexOf(value) < i) fault(check, `${path}.${i}`, 'must not be in the list twice')
  }
  return undefined
}

function needText(check: Check, text: unknown, path: string): void {
  if (typeof text !== 'string' || text.length > LONGEST_TEXT)
    fault(check, path, `must be a text of at most ${LONGEST_TEXT} characters`)
}

/** A condition to start from, for one attribute of the schema. */
export const TemplateCondition = Type.Object(
  { description: Type.String(), condition: Type.String() },
  { title: 'SiteAdaptiveTemplateCondition' },
)

/** Conditions for the attributes that have a known set of values: booleans and texts with an `enum`. */
export function templateConditions({ properties }: ClaimsSchema): Static<typeof TemplateCondition>[] {
  return conditionsBelow(properties, 'visitor.claims', '')
}

function conditionsBelow(properties: Record<string, ClaimSchema>, above: string, words: string) {
  return Object.entries(properties).flatMap(([name, schema]): Static<typeof TemplateCondition>[] => {
    const claim = /^[A-Za-z_$][\w$]*$/.test(name) ? `${above}.${name}` : `${above}[${JSON.stringify(name)}]`
    const label = words === '' ? name : `${words}.${name}`
    if (schema.type === 'object') return conditionsBelow(schema.properties, claim, label)
    if (schema.type === 'array') {
      const { items } = schema
      return scalarValues(items).map((value) => ({
        description: `${label} includes ${value}`,
        condition: `${claim}.includes(${value})`,
      }))
    }
    return scalarValues(schema).map((value) => ({
      description: `${label} is ${value}`,
      condition: `${claim} == ${value}`,
    }))
  })
}

function scalarValues({ type, enum: values = [] }: Scalar): string[] {
  if (type === 'boolean') return ['true', 'false']
  return values.map((value) => JSON.stringify(value))
}

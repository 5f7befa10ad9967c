/** Examples of values, which a specification gives or which are made up from its types. */
import type { SpecSourceParts } from '../described.ts'
import { valuesOf } from './rules.ts'
import {
  firstItemsOf,
  itemsIn,
  itemsOf,
  propertiesOf,
  resolveSchema,
  type SchemaBudget,
  typesOf,
  variantsOf,
} from './schema.ts'

type Fields = Record<string, unknown>

/** Which way a value goes: fields that are read-only are in no request, and those that are write-only in no response. */
export type BodyDirection = 'request' | 'response'

/** Where an example is made: what is left of the work, and which way its value goes. */
export interface ExampleContext {
  parts: SpecSourceParts
  examples: SchemaBudget
  direction?: BodyDirection | undefined
}

/** An example of a value: the one that the schema has, or one that is made up from its types. */
export function exampleOf(context: ExampleContext, value: unknown, path: readonly string[] = []): unknown {
  const { parts, examples, direction } = context
  if (examples.schemas <= 0 || path.length > 8) return null
  examples.schemas -= 1
  const { schema, reference } = resolveSchema(parts, value)
  const given = givenExample(schema)
  if (given !== undefined) return given
  if (reference !== undefined && path.includes(reference)) return {}
  const inside = [...path, reference ?? '']
  const exampleIn = (one: unknown) => exampleOf(context, one, inside)

  const properties = propertiesOf(parts, schema)
  if (properties.length > 0) {
    const sent = properties.filter((one) => isSent(resolveSchema(parts, one.schema).schema, direction))
    return Object.fromEntries(sent.map(({ name, schema: one }) => [name, exampleIn(one)]))
  }
  const first = firstItemsOf(schema)
  if (first.length > 0) return first.map(exampleIn)
  const items = itemsOf(schema)
  if (items !== undefined) return [exampleIn(items)]
  const [variant] = variantsOf(schema)?.variants ?? itemsIn(schema['allOf'])
  if (variant !== undefined) return exampleIn(variant)
  const [type] = typesOf(schema).filter((one, _, all) => one !== 'null' || all.length === 1)
  return exampleOfType(type, schema['format'])
}

/** Whether a field is sent in a direction. */
export function isSent({ readOnly, writeOnly }: Fields, direction: BodyDirection | undefined): boolean {
  return !(readOnly === true && direction === 'request') && !(writeOnly === true && direction === 'response')
}

function givenExample(schema: Fields): unknown {
  const { example, examples, default: fallback } = schema
  return example ?? itemsIn(examples)[0] ?? fallback ?? valuesOf(schema)[0]
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

import { hash } from 'node:crypto'
import type { Visitor } from '../../access/visitors/visitors.ts'
import { isRecord } from '../../core/data/is-record.ts'
import type { ClaimSchema, ClaimsSchema } from './adaptive-schema.ts'

const LONGEST_TEXT = 1000
const MOST_ITEMS = 100

/**
 * The claims of a visitor that the schema of the site declares, with the declared types. Everything else is left out:
 * a condition can only read what the site has declared.
 * @param signed from a token of the visitor
 * @param unsigned what the visitor said; its fields are in `unsigned`
 */
export function acceptedClaims(
  schema: ClaimsSchema | undefined,
  signed: Record<string, unknown>,
  unsigned: Record<string, unknown>,
): Visitor['claims'] {
  const { unsigned: declared, ...properties } = schema?.properties ?? {}
  const own = isRecord(signed.unsigned) ? signed.unsigned : {}
  return {
    ...acceptedFields(properties, signed),
    unsigned: declared?.type === 'object' ? acceptedFields(declared.properties, { ...own, ...unsigned }) : {},
  }
}

function acceptedFields(properties: Record<string, ClaimSchema>, claims: Record<string, unknown>) {
  const accepted: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const value = Object.hasOwn(claims, name) ? acceptedValue(schema, claims[name]) : undefined
    if (value !== undefined) accepted[name] = value
  }
  return accepted
}

function acceptedValue(schema: ClaimSchema, value: unknown): unknown {
  switch (schema.type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined
    case 'string':
      if (typeof value !== 'string' || value.length > LONGEST_TEXT) return undefined
      return schema.enum && !schema.enum.includes(value) ? undefined : value
    case 'array':
      if (!Array.isArray(value)) return undefined
      return value.slice(0, MOST_ITEMS).filter((item) => acceptedValue(schema.items, item) !== undefined)
    case 'object':
      return isRecord(value) ? acceptedFields(schema.properties, value) : undefined
    default:
      return undefined
  }
}

/**
 * A stable key of claims: equal for equal claims, whatever their order. What readers with the same key see of a site is
 * the same, so it is cached by the key. Empty for a visitor without claims.
 */
export function contextOf(claims: Visitor['claims']): string {
  const text = JSON.stringify(ordered(claims))
  return text === '{"unsigned":{}}' ? '' : hash('sha256', text, 'base64url').slice(0, 22)
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isRecord(value)) return value
  const names = Object.keys(value).toSorted((a, b) => (a < b ? -1 : 1))
  return Object.fromEntries(names.map((name) => [name, ordered(value[name])]))
}

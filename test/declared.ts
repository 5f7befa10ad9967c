import assert from 'node:assert/strict'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import type { Route } from '../src/http/route.ts'
import { Page } from '../src/model/content/documents/page.ts'
import { SiteSectionGroup } from '../src/model/sites/structure/section-group.ts'

// To optimize a validator takes longer than tests use it, and to compile the schema of an object for each place that has
// it takes ten times as long as to compile it once.
const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } })
addFormats.default(ajv)
/** The ids of the schemas of objects, by their text. */
const ids = new Map<string, string>()
ajv.addSchema(closed(Page), 'Page')
ajv.addSchema(closed(SiteSectionGroup), 'SiteSectionGroup')
const compiled = new Map<TSchema, ValidateFunction>()

/** Checks that a response has exactly the declared fields: no column leaks and no field is missing. */
export function checkAnswer(route: Route, answer: unknown): void {
  const known = validatorOf(route)
  assert(
    known?.(answer) !== false,
    `${route.method} ${route.path} answered what it does not declare: ${ajv.errorsText(known?.errors)}`,
  )
}

/** Whether a value is a response that the route declares, without other fields. */
export const isDeclared = (route: Route, answer: unknown): boolean => validatorOf(route)?.(answer) !== false

function validatorOf({ returns }: Route): ValidateFunction | undefined {
  if (returns === undefined || returns === 'download' || returns === 'events') return undefined
  const known = compiled.get(returns) ?? ajv.compile(closed(returns))
  compiled.set(returns, known)
  return known
}

/** The schema with additional properties forbidden in its objects, each of which is a schema of its own. */
function closed(schema: TSchema): object {
  return closedValue(schema) as object
}

function closedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedValue)
  if (value === null || typeof value !== 'object') return value
  if ('x-recursive' in value) return { $ref: value['x-recursive'] }
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closedValue(inner)]))
  const isOpen =
    copy.properties === undefined || copy.additionalProperties !== undefined || copy.patternProperties
  if (isOpen) return copy

  const text = JSON.stringify(copy)
  let id = ids.get(text)
  if (id === undefined) {
    id = `object-${ids.size}`
    ids.set(text, id)
    ajv.addSchema({ ...copy, additionalProperties: false }, id)
  }
  return { $ref: id }
}

/** Compares what clients send and receive, as JSON Schemas. */
import { isRecord } from '../../data/is-record.ts'
import { lookUpReference } from '../references.ts'
import type { ChangeList, Report } from './change.ts'

type Schema = Record<string, unknown>

/** The direction of a value: clients send requests and read responses. */
export type Direction = 'requests' | 'responses'

/** Each of the two specifications that are compared. */
export interface Documents {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
/** References to references, and schemas of `allOf` in one another. */
const MOST_STEPS = 20
/** Keywords of a smallest and a largest value. */
const SMALLEST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const LARGEST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

/**
 * Compares pairs of schemas, each of them once in each direction, so that cycles end and a schema that many operations
 * share is reported once. A request must accept what it accepted; a response must contain what it contained.
 */
export function schemaComparison({ before, after }: Documents, changes: ChangeList) {
  const compared: Record<Direction, Map<object, Set<object>>> = { requests: new Map(), responses: new Map() }
  const views = { before: viewer(before), after: viewer(after) }
  const waiting: (() => void)[] = []
  let isRunning = false

  /** Compares two schemas, and everything in them. `path` names the value within the place. */
  function compare(old: unknown, now: unknown, direction: Direction, place: string, path: string): void {
    waiting.push(() => visit(old, now, direction, place, path))
    // A schema in another one waits, because they can nest deeper than calls.
    if (isRunning) return
    isRunning = true
    for (let next = waiting.pop(); next; next = waiting.pop()) next()
    isRunning = false
  }

  function visit(old: unknown, now: unknown, direction: Direction, place: string, path: string): void {
    const [from, to] = [resolved(before, old), resolved(after, now)]
    if (!isRecord(from.schema) || !isRecord(to.schema)) {
      compareBooleans(from.schema, to.schema, direction, named(changes.at(place), path))
      return
    }
    const known = compared[direction].get(from.schema)
    if (known?.has(to.schema)) return
    if (known) known.add(to.schema)
    else compared[direction].set(from.schema, new Set([to.schema]))

    const own = to.name === undefined ? place : `${to.name} in ${direction}`
    const within = to.name === undefined ? path : ''
    const report = named(changes.at(own), within)
    const [left, right] = [views.before(from.schema), views.after(to.schema)]
    compareTypes(left, right, direction, report)
    compareEnums(left, right, direction, report)
    compareBounds(left, right, direction, report)
    if (left['format'] !== right['format'] && (left['format'] ?? right['format']) !== undefined)
      report('may-break', `the format changed from ${shown(left['format'])} to ${shown(right['format'])}`)
    if (right['deprecated'] === true && left['deprecated'] !== true) report('safe', 'is deprecated')

    const next = (a: unknown, b: unknown, name: string) => {
      compare(a, b, direction, own, within + name)
    }
    compareProperties(left, right, direction, report, next)
    if (left['items'] !== undefined || right['items'] !== undefined)
      next(left['items'] ?? true, right['items'] ?? true, '[]')
    const [moreBefore, moreNow] = [
      left['additionalProperties'] ?? true,
      right['additionalProperties'] ?? true,
    ]
    if (isRecord(moreBefore) || isRecord(moreNow) || moreBefore !== moreNow) next(moreBefore, moreNow, '.*')
    for (const keyword of ['oneOf', 'anyOf'])
      compareAlternatives(left[keyword], right[keyword], direction, report, next)
  }

  return compare
}

/** Follows references. @returns the schema, with the name of the component that it is */
function resolved(document: Record<string, unknown>, value: unknown): { schema: unknown; name?: string } {
  let schema = value
  let name: string | undefined
  for (let step = 0; step < MOST_STEPS && isRecord(schema) && typeof schema['$ref'] === 'string'; step++) {
    const reference = schema['$ref']
    name ??= /^#\/components\/schemas\/([^/]+)$/.exec(reference)?.[1]
    schema = lookUpReference(document, reference)
  }
  return { schema: schema ?? true, ...(name === undefined ? {} : { name }) }
}

/** @returns what gives a schema with those of its `allOf` joined into it, each of which is joined once */
function viewer(document: Record<string, unknown>): (schema: Schema) => Schema {
  const known = new WeakMap<Schema, Schema>()

  function view(schema: Schema, step = 0): Schema {
    const parts = schema['allOf']
    if (!Array.isArray(parts) || step === MOST_STEPS) return schema
    const before = known.get(schema)
    if (before) return before
    // A schema that leads back to itself adds nothing.
    known.set(schema, {})
    const all = parts
      .map((part) => resolved(document, part).schema)
      .filter(isRecord)
      .map((part) => view(part, step + 1))
    const { allOf: _joined, ...own } = schema
    const views = [...all, own]
    const properties = Object.assign({}, ...views.map((one) => one['properties'])) as Schema
    const required = [...new Set(views.flatMap((one) => [...namesOf(one['required'])]))]
    const whole = Object.assign({}, ...views, { properties, required }) as Schema
    known.set(schema, whole)
    return whole
  }

  return (schema) => view(schema)
}

function compareBooleans(old: unknown, now: unknown, direction: Direction, report: Report): void {
  if (old === now) return
  const accepts = (schema: unknown) => schema !== false
  const isNarrower = accepts(old) && !accepts(now)
  const isOpen = !isRecord(now) && accepts(now)
  if (isNarrower)
    report(
      direction === 'requests' ? 'breaks' : 'safe',
      direction === 'requests' ? 'is refused now' : 'is no longer sent',
    )
  else if (isOpen && isRecord(old))
    report(direction === 'requests' ? 'safe' : 'breaks', 'may be any value now')
  else if (isRecord(now) && accepts(old))
    report(direction === 'requests' ? 'breaks' : 'safe', 'may no longer be any value')
  else report(direction === 'requests' ? 'safe' : 'may-break', 'may be present now')
}

function typesOf(schema: Schema): Set<string> {
  const { type, nullable } = schema
  const all = typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : TYPES
  const types = new Set(nullable === true ? [...all, 'null'] : all)
  // Every integer is a number.
  if (types.has('number')) types.add('integer')
  return types
}

function compareTypes(old: Schema, now: Schema, direction: Direction, report: Report): void {
  const [from, to] = [typesOf(old), typesOf(now)]
  const [gone, added] = [from.difference(to), to.difference(from)]
  if (gone.size === 0 && added.size === 0) return
  const isBreaking = (direction === 'requests' ? gone : added).size > 0
  report(isBreaking ? 'breaks' : 'safe', `the type changed from ${typeNames(from)} to ${typeNames(to)}`)
}

function typeNames(types: ReadonlySet<string>): string {
  if (types.size === TYPES.length) return 'any'
  return [...types].filter((type) => type !== 'integer' || !types.has('number')).join(' or ')
}

function enumValues({ enum: values, const: only }: Schema): Set<string> | undefined {
  if (Array.isArray(values)) return new Set(values.map((value) => shown(value)))
  return only === undefined ? undefined : new Set([shown(only)])
}

function compareEnums(old: Schema, now: Schema, direction: Direction, report: Report): void {
  const [from, to] = [enumValues(old), enumValues(now)]
  const isRequest = direction === 'requests'
  if (!from) {
    if (to) report(isRequest ? 'breaks' : 'safe', `must be one of ${[...to].join(', ')} now`)
    return
  }
  if (!to) return report(isRequest ? 'safe' : 'may-break', 'may be more than the listed values now')
  const [gone, added] = [from.difference(to), to.difference(from)]
  if (gone.size > 0) report(isRequest ? 'breaks' : 'safe', `can no longer be ${[...gone].join(', ')}`)
  if (added.size > 0) report(isRequest ? 'safe' : 'may-break', `can be ${[...added].join(', ')} now`)
}

function compareBounds(old: Schema, now: Schema, direction: Direction, report: Report): void {
  const isRequest = direction === 'requests'
  const compareBound = (keyword: string, isTighter: (from: number, to: number) => boolean, none: number) => {
    const bound = (schema: Schema) => (typeof schema[keyword] === 'number' ? schema[keyword] : none)
    const [from, to] = [bound(old), bound(now)]
    if (from === to) return
    const tighter = isTighter(from, to)
    const effect = tighter ? (isRequest ? 'breaks' : 'safe') : isRequest ? 'safe' : 'may-break'
    report(effect, `"${keyword}" changed from ${shown(old[keyword])} to ${shown(now[keyword])}`)
  }
  for (const keyword of SMALLEST) compareBound(keyword, (from, to) => to > from, -Infinity)
  for (const keyword of LARGEST) compareBound(keyword, (from, to) => to < from, Infinity)
  const [from, to] = [old['pattern'], now['pattern']]
  if (from !== to)
    report(
      to === undefined ? (isRequest ? 'safe' : 'may-break') : isRequest ? 'breaks' : 'may-break',
      `the pattern changed from ${shown(from)} to ${shown(to)}`,
    )
}

type Next = (old: unknown, now: unknown, name: string) => void

function compareProperties(old: Schema, now: Schema, direction: Direction, report: Report, next: Next): void {
  const [from, to] = [schemaFields(old['properties']), schemaFields(now['properties'])]
  const [requiredBefore, requiredNow] = [namesOf(old['required']), namesOf(now['required'])]
  const isRequest = direction === 'requests'
  // A response never has what is only written, and a request never has what is only read.
  const isAbsent = (schema: unknown) =>
    isRecord(schema) && schema[isRequest ? 'readOnly' : 'writeOnly'] === true
  const refusesOthers = now['additionalProperties'] === false
  for (const [name, schema] of Object.entries(from)) {
    if (isAbsent(schema)) continue
    if (name in to) {
      next(schema, to[name], `.${name}`)
      const [was, is] = [requiredBefore.has(name), requiredNow.has(name)]
      if (was && !is) report(isRequest ? 'safe' : 'breaks', `"${name}" is no longer required`)
      if (!was && is) report(isRequest ? 'breaks' : 'safe', `"${name}" is required now`)
    } else if (isRequest) report(refusesOthers ? 'breaks' : 'may-break', `"${name}" was removed`)
    else report(requiredBefore.has(name) ? 'breaks' : 'may-break', `"${name}" was removed`)
  }
  for (const [name, schema] of Object.entries(to)) {
    if (name in from || isAbsent(schema)) continue
    const isDemanded = isRequest && requiredNow.has(name)
    report(isDemanded ? 'breaks' : 'safe', `"${name}" was added${isDemanded ? ', and is required' : ''}`)
  }
}

/** Alternatives are the same if they refer to the same component, have the same title, or the same place. */
function compareAlternatives(
  old: unknown,
  now: unknown,
  direction: Direction,
  report: Report,
  next: Next,
): void {
  if (!Array.isArray(old) && !Array.isArray(now)) return
  const isRequest = direction === 'requests'
  if (!Array.isArray(old))
    return report(isRequest ? 'breaks' : 'safe', 'must be one of some alternatives now')
  if (!Array.isArray(now)) return report(isRequest ? 'safe' : 'breaks', 'has no alternatives any more')
  const [from, to] = [alternativesOf(old), alternativesOf(now)]
  for (const [name, schema] of from) {
    if (to.has(name)) next(schema, to.get(name), `(${name})`)
    else report(isRequest ? 'breaks' : 'safe', `the alternative ${name} was removed`)
  }
  for (const name of to.keys())
    if (!from.has(name)) report(isRequest ? 'safe' : 'may-break', `the alternative ${name} was added`)
}

function alternativesOf(schemas: readonly unknown[]): Map<string, unknown> {
  return new Map(
    schemas.map((schema, i) => {
      const { $ref, title } = schemaFields(schema)
      const name = typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : title
      return [typeof name === 'string' ? name : String(i + 1), schema] as const
    }),
  )
}

const schemaFields = (value: unknown) => (isRecord(value) ? value : {})
const namesOf = (value: unknown) => new Set(Array.isArray(value) ? value.map(String) : [])

/** A report that begins with the name of the value, if it has one. */
function named(report: Report, path: string): Report {
  const name = path.replace(/^\./, '')
  return (effect, what) => report(effect, name === '' ? what : `${name}: ${what}`)
}

const LONGEST_VALUE = 60

function shown(value: unknown): string {
  if (value === undefined) return 'none'
  const text = JSON.stringify(value)
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

/** Reads the fields of a value from a client by a table of their types. */
import { isRecord } from '../../data/is-record.ts'
import { SHAPE_REASONS } from '../../languages/shape-reasons.ts'
import { type Reasoned, ReasonedError, type PlainReason, becauseOf } from '../../languages/reasoned.ts'

const because = becauseOf(SHAPE_REASONS)

/** An object whose fields are not known yet. */
export type Fields = Record<string, unknown>

/** Why a value is refused, thrown to leave the recursion. */
export class ShapeFault extends ReasonedError {
  readonly path: string

  constructor(path: string, why: Reasoned | string) {
    super(why)
    this.path = path
  }
}

/** Reads a value; undefined if it is absent. @throws ShapeFault */
export type FieldReader = (value: unknown, path: string) => unknown
/** The name of a simple type, with `?` if the value is optional; or a function that reads the value. */
type Kind = 'text' | 'number' | 'flag' | 'ref' | 'length' | 'texts' | 'props'
/** The types of fields by name. A list has the allowed texts of an optional field. */
export type Shape = Record<string, Kind | `${Kind}?` | readonly string[] | FieldReader>

/** The fields of a value that a shape has; null counts as absent. @throws Fault */
export function check(value: unknown, shape: Shape, path: string): Fields {
  if (!isRecord(value)) throw new ShapeFault(path, because('not-object'))
  const read = Object.entries(shape).flatMap(([name, kind]): [string, unknown][] => {
    const field = value[name] ?? undefined
    const at = `${path}.${name}`
    if (typeof kind === 'function') {
      const made = kind(field, at)
      return made === undefined ? [] : [[name, made]]
    }
    const optional = typeof kind !== 'string' || kind.endsWith('?')
    if (field === undefined && optional) return []
    if (typeof kind !== 'string') return [[name, needOneOf(field, kind, at)]]
    return [[name, readers[kind.replace('?', '') as Kind](field, at)]]
  })
  return Object.fromEntries(read)
}

/** The value, if it is one of these texts. @throws Fault */
export function needOneOf(value: unknown, allowed: readonly string[], path: string): unknown {
  if (allowed.includes(value as string)) return value
  throw new ShapeFault(path, because('wrong-value', { options: quotedWords(allowed) }))
}

const quotedWords = (words: readonly string[]) => `one of ${words.map((one) => `"${one}"`).join(', ')}`

/** @throws Fault unless it holds */
export function expect(holds: boolean, path: string, reason: PlainReason<typeof SHAPE_REASONS>): void {
  if (!holds) throw new ShapeFault(path, because(reason))
}

/** The readers of simple values by their types. */
export const readers: Record<Kind, FieldReader> = {
  text(value, path) {
    expect(typeof value === 'string', path, 'not-text')
    return value
  },
  number(value, path) {
    expect(typeof value === 'number' && Number.isFinite(value), path, 'not-number')
    return value
  },
  flag(value, path) {
    expect(typeof value === 'boolean', path, 'not-flag')
    return value
  },
  texts(value, path) {
    expect(Array.isArray(value) && value.every((one) => typeof one === 'string'), path, 'not-texts')
    return value
  },
  /** The properties of an integration may have any type. */
  props(value, path) {
    expect(isRecord(value), path, 'not-object')
    return value
  },
  length(value, path) {
    if (isRecord(value)) return check(value, { unit: required(UNITS), value: 'number' }, path)
    return readers.number(value, path)
  },
  ref: readRef,
}

const required =
  (allowed: readonly string[]): FieldReader =>
  (value, path) =>
    needOneOf(value, allowed, path)
const UNITS = ['px', '%'] as const

const REFS: Record<string, Shape> = {
  url: { url: 'text' },
  file: { file: 'text', space: 'text?' },
  page: { page: 'text', space: 'text?' },
  anchor: { anchor: 'text', page: 'text?', space: 'text?' },
  user: { user: 'text' },
  collection: { collection: 'text' },
  space: { space: 'text' },
  'reusable-content': { reusableContent: 'text', space: 'text?' },
  openapi: { spec: 'text' },
  tag: { tag: 'text', space: 'text?' },
}

/** A reference, of any kind. @throws Fault */
export function readRef(value: unknown, path: string): unknown {
  const kind = isRecord(value) ? value.kind : undefined
  if (typeof kind !== 'string' || !Object.hasOwn(REFS, kind))
    throw new ShapeFault(`${path}.kind`, because('wrong-value', { options: quotedWords(Object.keys(REFS)) }))
  return { kind, ...check(value, REFS[kind]!, path) }
}

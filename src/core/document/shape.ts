/** How the fields of a value from outside are read, by a table of what each may be. */

/** An object whose fields are not known yet. */
export type Fields = Record<string, unknown>

/** Why a value is refused, thrown to leave the recursion. */
export class Fault extends Error {
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

/** Reads a value, undefined where it is absent. @throws Fault */
export type Reader = (value: unknown, path: string) => unknown
/** A name of a simple value, with `?` where it may be absent; or what reads it. */
type Kind = 'text' | 'number' | 'flag' | 'ref' | 'length' | 'texts' | 'props'
/** By name, what a field may be; a list is of the texts that it may be, and such a field may be absent. */
export type Shape = Record<string, Kind | `${Kind}?` | readonly string[] | Reader>

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of a value that a shape has; null counts as absent. @throws Fault */
export function check(value: unknown, shape: Shape, path: string): Fields {
  if (!isRecord(value)) throw new Fault(path, 'must be an object')
  const read = Object.entries(shape).flatMap(([name, kind]): [string, unknown][] => {
    const field = value[name] ?? undefined
    const at = `${path}.${name}`
    if (typeof kind === 'function') {
      const made = kind(field, at)
      return made === undefined ? [] : [[name, made]]
    }
    const optional = typeof kind !== 'string' || kind.endsWith('?')
    if (field === undefined && optional) return []
    if (typeof kind !== 'string') return [[name, oneOf(field, kind, at)]]
    return [[name, readers[kind.replace('?', '') as Kind](field, at)]]
  })
  return Object.fromEntries(read)
}

/** The value, if it is one of these texts. @throws Fault */
export function oneOf(value: unknown, allowed: readonly string[], path: string): unknown {
  if (allowed.includes(value as string)) return value
  throw new Fault(path, `must be one of ${allowed.map((one) => `"${one}"`).join(', ')}`)
}

/** @throws Fault unless it holds */
export function expect(holds: boolean, path: string, message: string): void {
  if (!holds) throw new Fault(path, message)
}

/** What reads simple values, by their kind. */
export const readers: Record<Kind, Reader> = {
  text(value, path) {
    expect(typeof value === 'string', path, 'must be text')
    return value
  },
  number(value, path) {
    expect(typeof value === 'number' && Number.isFinite(value), path, 'must be a number')
    return value
  },
  flag(value, path) {
    expect(typeof value === 'boolean', path, 'must be true or false')
    return value
  },
  texts(value, path) {
    expect(
      Array.isArray(value) && value.every((one) => typeof one === 'string'),
      path,
      'must be a list of texts',
    )
    return value
  },
  /** Of an integration: whatever it takes. */
  props(value, path) {
    expect(isRecord(value), path, 'must be an object')
    return value
  },
  length(value, path) {
    if (isRecord(value)) return check(value, { unit: required(UNITS), value: 'number' }, path)
    return readers.number(value, path)
  },
  ref: readRef,
}

const required =
  (allowed: readonly string[]): Reader =>
  (value, path) =>
    oneOf(value, allowed, path)
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
    throw new Fault(
      `${path}.kind`,
      `must be one of ${Object.keys(REFS)
        .map((one) => `"${one}"`)
        .join(', ')}`,
    )
  return { kind, ...check(value, REFS[kind]!, path) }
}

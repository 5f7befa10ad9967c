import { isRecord } from '../data/is-record.ts'

/** An object with a `$ref`, and the JSON pointer of its place. */
export interface SpecReference {
  holder: Record<string, unknown> & { $ref: string }
  pointer: string
}

/** Fields whose keys are names that the author chose, and not keywords. */
const MAPS_OF_NAMES = new Set(
  `properties patternProperties $defs definitions dependentSchemas schemas responses parameters examples requestBodies
  headers securitySchemes links callbacks pathItems paths webhooks content mediaTypes x-external`.split(
    /\s+/,
  ),
)
/** Fields that hold data of the API. A `$ref` in them is data too. */
const DATA = new Set(['example', 'default', 'const', 'enum', 'value'])

interface Visit {
  value: object
  /** The keys of the value are names. */
  isMap: boolean
  /** The keys to it, as a list that shares its beginning with those of its siblings. */
  path: Path | undefined
}

interface Path {
  key: string
  above: Path | undefined
}

/** Finds the references of a specification, but not what looks like one in examples. Takes linear time. */
export function* referencesIn(document: Record<string, unknown>): Generator<SpecReference> {
  const waiting: Visit[] = [{ value: document, isMap: false, path: undefined }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, isMap, path } = next
    if (!isMap && isReference(value)) yield { holder: value, pointer: pointerOf(path) }
    const isList = Array.isArray(value)
    const entries = Object.entries(value)
    // From the last to the first, so that they come off the stack in the order of the document.
    for (let i = entries.length - 1; i >= 0; i -= 1) {
      const [key, item] = entries[i] as [string, unknown]
      if (typeof item !== 'object' || item === null) continue
      const isKeyword = !isMap && !isList
      const isNames = isKeyword && MAPS_OF_NAMES.has(key)
      if (isKeyword && !isNames && (DATA.has(key) || key.startsWith('x-'))) continue
      // The examples of a schema are a list of data.
      if (isKeyword && key === 'examples' && Array.isArray(item)) continue
      const inside = isNames && !Array.isArray(item)
      waiting.push({ value: item, isMap: inside, path: { key, above: path } })
    }
  }
}

/** Whether a value is a reference to another place. */
export function isReference(value: unknown): value is Record<string, unknown> & { $ref: string } {
  return isRecord(value) && typeof value['$ref'] === 'string'
}

function pointerOf(path: Path | undefined): string {
  const keys: string[] = []
  for (let at = path; at; at = at.above) keys.push(at.key.replaceAll('~', '~0').replaceAll('/', '~1'))
  return keys
    .toReversed()
    .map((key) => `/${key}`)
    .join('')
}

/** The value at the place that a reference such as `#/components/schemas/Pet` names; undefined if there is none. */
export function lookUpReference(document: Record<string, unknown>, reference: string): unknown {
  if (reference === '#') return document
  if (!reference.startsWith('#/')) return undefined
  let value: unknown = document
  for (const key of reference.slice(2).split('/')) {
    const name = decodeKey(key)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function decodeKey(key: string): string {
  let text = key
  try {
    text = decodeURIComponent(key)
  } catch {
    // A "%" that encodes nothing is a part of the name.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

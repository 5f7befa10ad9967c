/** The text of parts of a specification that search finds. */
import { isRecord } from '../is-record.ts'
import { keysOfPointer, type SpecPart } from './parts.ts'

/** The most text of one part, in UTF-16 units, and the deepest level of its schemas that is read. */
const [LONGEST_TEXT, DEEPEST] = [20_000, 8]
/** The fields whose values are text. */
const TEXTS = new Set(['operationId', 'summary', 'description', 'title'])
/** The fields whose values hold examples or settings instead of words about the API. */
const SKIPPED = new Set(['example', 'examples', 'default', 'security', 'servers', 'x-codeSamples'])

/**
 * The text of an operation or a schema: its path and method or its name, its tags, summary, description and operationId, and
 * the names and descriptions of its parameters, properties and schemas. Takes linear time.
 */
export function searchTextOfPart({ pointer, json }: Pick<SpecPart, 'pointer' | 'json'>): string {
  const texts: string[] = []
  let left = LONGEST_TEXT
  const put = (value: unknown) => {
    if (typeof value !== 'string' || left <= 0) return
    const some = value.slice(0, left).trim()
    if (some === '') return
    left -= some.length
    texts.push(some)
  }
  const read = (value: unknown, depth: number): void => {
    if (left <= 0 || depth > DEEPEST) return
    if (Array.isArray(value)) {
      for (const one of value as unknown[]) read(one, depth + 1)
      return
    }
    if (!isRecord(value)) return
    if (typeof value['$ref'] === 'string') put(keysOfPointer(value['$ref']).at(-1))
    // A parameter has a name, and a property called "name" has a schema.
    put(value['name'])
    for (const [key, below] of Object.entries(value)) {
      if (SKIPPED.has(key)) continue
      if (TEXTS.has(key) && typeof below === 'string') put(below)
      else if (key === 'properties' && isRecord(below)) readProperties(below, depth)
      else if (key === 'tags' && Array.isArray(below)) for (const tag of below as unknown[]) put(tag)
      else read(below, depth + 1)
    }
  }
  const readProperties = (properties: Record<string, unknown>, depth: number) => {
    for (const [name, schema] of Object.entries(properties)) {
      put(name)
      read(schema, depth + 1)
    }
  }

  const [group, name, last] = keysOfPointer(pointer)
  put(group === 'components' ? last : `${last?.toUpperCase()} ${name}`)
  read(JSON.parse(json), 0)
  return texts.join('\n')
}

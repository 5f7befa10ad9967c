import { sizeLimit } from '../text/byte-size.ts'
import { isRecord } from '../data/is-record.ts'
import { libraryOfOpenApi } from './library.ts'
import { OPERATION_METHODS } from './methods.ts'
import { readLargeYaml } from '../yaml/read.ts'
import { type SpecProblem, SpecFault } from './problem.ts'

/** The largest source of a specification, in bytes. The specification of GitHub has 13 MB. */
export const MAX_SOURCE_BYTES = 20 * 1024 * 1024
/** Maps and lists inside one another. Real specifications have about 40. */
const MAX_LEVELS = 100
/** Values of all kinds, with those that YAML aliases repeat. */
const MAX_VALUES = 3_000_000
/** Characters of all texts and keys, with those that YAML aliases repeat. */
const MAX_CHARACTERS = 40_000_000
/** Anchors and aliases of a YAML source. */
const MAX_REPEATED = 2_000

/** A source that was parsed. */
export interface ParsedSource {
  format: 'json' | 'yaml'
  document: Record<string, unknown>
}

/**
 * Parses a source in JSON or YAML, in linear time. Parsing goes through the whole text before anything is checked, so it
 * belongs in a thread with limits of time and memory.
 * @throws SpecFault
 */
export function parseSource(bytes: Uint8Array): ParsedSource {
  if (bytes.length > MAX_SOURCE_BYTES)
    throw new SpecFault('TOO_LARGE', `The source must have at most ${sizeLimit(MAX_SOURCE_BYTES)}`)
  const text = decode(bytes)
  const format = /^\s*\{/.test(text.slice(0, 1000)) ? 'json' : 'yaml'
  const value = format === 'json' ? parseJson(text) : parseYamlSource(text)
  if (!isRecord(value)) throw new SpecFault('NOT_AN_OBJECT', 'The source is not an object in JSON or YAML')
  measure(value)
  // Aliases of YAML are one object in several places, and what follows changes objects in place.
  return { format, document: format === 'json' ? value : (JSON.parse(JSON.stringify(value)) as typeof value) }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SpecFault('NOT_UTF_8', 'The source is not text in UTF-8')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SpecFault('NOT_JSON', `The source is not valid JSON: ${(error as Error).message}`)
  }
}

function parseYamlSource(text: string): unknown {
  const limits = { length: MAX_SOURCE_BYTES, depth: MAX_LEVELS, repeated: MAX_REPEATED }
  const { value, fault } = readLargeYaml(text, limits)
  if (fault !== undefined) throw new SpecFault('NOT_YAML', `The source ${fault.message}`)
  return value
}

/** Counts what a value has when each alias is written out. It ends at the limits, so cycles and doubling cost no more. */
function measure(root: Record<string, unknown>): void {
  const waiting: { value: unknown; level: number }[] = [{ value: root, level: 1 }]
  let values = 0
  let characters = 0
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, level } = next
    values += 1
    if (typeof value === 'string') characters += value.length
    if (values > MAX_VALUES) throw new SpecFault('TOO_LARGE', `The source has more than ${MAX_VALUES} values`)
    if (characters > MAX_CHARACTERS)
      throw new SpecFault('TOO_LARGE', `The source has texts of more than ${MAX_CHARACTERS} characters`)
    if (typeof value !== 'object' || value === null) continue
    if (level > MAX_LEVELS)
      throw new SpecFault('TOO_DEEP', `The source nests more than ${MAX_LEVELS} levels deep`)
    for (const [key, item] of Object.entries(value)) {
      characters += key.length
      waiting.push({ value: item, level: level + 1 })
    }
  }
}

/**
 * Converts a specification of any version to OpenAPI 3.1; those of 3.1 and 3.2 stay as they are.
 * @throws SpecFault for what is no specification, or none of a version that Lectern knows
 */
export function upgradeSpecification(document: Record<string, unknown>): Record<string, unknown> {
  const { swagger, openapi } = document
  const isKnown = typeof openapi === 'string' ? /^3\.[012](\.|$)/.test(openapi) : swagger === '2.0'
  if (!isKnown)
    throw new SpecFault(
      'UNKNOWN_VERSION',
      'The source must have "openapi" with a version of 3.0, 3.1 or 3.2 as text, or "swagger" with "2.0"',
    )
  for (const [key, value] of Object.entries(document))
    if (MUST_BE_OBJECTS.has(key) && !isRecord(value))
      throw new SpecFault('WRONG_TYPE', `"${key}" must be an object`)
  const { upgrade } = libraryOfOpenApi()
  try {
    return upgrade(document, '3.1')
  } catch (error) {
    throw new SpecFault('CANNOT_UPGRADE', `The source cannot be read: ${(error as Error).message}`)
  }
}

const MUST_BE_OBJECTS = new Set(['info', 'paths', 'webhooks', 'components', 'definitions'])

/** Returns the problems that clients and readers have with a specification that can be used all the same. */
export function problemsOf(document: Record<string, unknown>): SpecProblem[] {
  const problems: SpecProblem[] = []
  const add = (code: string, message: string) => void problems.push({ code, message })
  const { info, paths = {}, webhooks, components } = document
  if (!isRecord(info) || typeof info['title'] !== 'string' || info['title'].trim() === '')
    add('NO_TITLE', '/info/title is missing')
  if (document['paths'] === undefined && webhooks === undefined && components === undefined)
    add('NO_PATHS', 'There are no "paths", "webhooks" or "components"')

  const ids = new Map<string, string>()
  for (const [path, item] of Object.entries(paths as Record<string, unknown>)) {
    if (path.startsWith('x-')) continue
    if (!path.startsWith('/')) add('WRONG_PATH', `The path "${path}" must begin with "/"`)
    if (!isRecord(item)) {
      add('WRONG_TYPE', `The path "${path}" must be an object`)
      continue
    }
    for (const method of OPERATION_METHODS) {
      const operation = item[method]
      if (operation === undefined) continue
      const name = `${method.toUpperCase()} ${path}`
      if (!isRecord(operation)) {
        add('WRONG_TYPE', `${name} must be an object`)
        continue
      }
      const id = operation['operationId']
      if (typeof id !== 'string') continue
      const other = ids.get(id)
      if (other !== undefined) add('DUPLICATE_ID', `${other} and ${name} have the same operationId "${id}"`)
      ids.set(id, name)
    }
  }
  return problems
}

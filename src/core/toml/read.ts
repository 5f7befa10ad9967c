/** The reader of TOML: settings and front matter of site generators. */
import { isRecord } from '../data/is-record.ts'
import { smolToml } from '../runtime/libraries.ts'

/** The fields of a TOML text, or the fault because of which it has none. */
export interface TomlReading {
  fields?: Record<string, unknown>
  fault?: string
}

/** The most characters of a text. */
const LONGEST = 100_000
/** The most tables in one another. A key such as `a.b.c` makes them too. */
const DEEPEST = 16

/**
 * Reads TOML. Dates become text as RFC 3339 writes them. Never throws. The time does not grow beyond a limit, because longer
 * texts have a fault.
 */
export function readToml(text: string): TomlReading {
  if (text.length > LONGEST) return { fault: `has ${text.length} characters; the limit is ${LONGEST}` }
  try {
    const fields = plainValue(smolToml().parse(text, { maxDepth: DEEPEST }), 0)
    return isRecord(fields) ? { fields } : { fault: 'is not a table of TOML' }
  } catch (error) {
    const cause = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
    return { fault: `is not valid TOML: ${cause}` }
  }
}

/** A value without dates. @throws RangeError if tables are nested too deeply */
function plainValue(value: unknown, depth: number): unknown {
  if (depth > DEEPEST) throw new RangeError(`it is nested deeper than ${DEEPEST} levels`)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((one) => plainValue(one, depth + 1))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainValue(one, depth + 1)]))
}

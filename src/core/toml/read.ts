/** The reader of TOML: settings and front matter of site generators. */
import { isRecord } from '../data/is-record.ts'
import type { WithReason } from '../languages/reasoned.ts'
import { because } from '../languages/reasons.ts'
import { smolToml } from '../runtime/libraries.ts'

/** The fields of a TOML text, or the fault because of which it has none. */
export interface TomlReading {
  fields?: Record<string, unknown>
  fault?: WithReason
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
  if (text.length > LONGEST) return { fault: because('toml-too-long', { size: text.length, limit: LONGEST }) }
  try {
    const fields = plainValue(smolToml().parse(text, { maxDepth: DEEPEST }), 0)
    return isRecord(fields) ? { fields } : { fault: because('toml-not-table') }
  } catch (error) {
    const cause = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
    return { fault: because('toml-invalid', { cause }) }
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

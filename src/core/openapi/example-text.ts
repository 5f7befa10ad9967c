import { isRecord } from '../data/is-record.ts'
import type { SpecSourceParts } from './described.ts'
import { exampleOf, resolvePart, type SchemaBudget } from './schema.ts'

type Fields = Record<string, unknown>

/** Characters of an example. */
const LONGEST_EXAMPLE = 20_000

/** The example of a media type as text, or one that is made up if it is JSON. */
export function exampleText(
  media: Fields,
  type: string,
  { parts, examples }: { parts: SpecSourceParts; examples: SchemaBudget },
): string | undefined {
  const [named] = isRecord(media['examples']) ? Object.values(media['examples']) : []
  const first = resolvePart(parts, named).value
  const given = media['example'] ?? (isRecord(first) ? first['value'] : undefined)
  const isJson = /json/i.test(type)
  const value = given ?? (isJson ? exampleOf(parts, media['schema'], examples) : undefined)
  if (value === undefined || value === null) return undefined
  const written = typeof value === 'string' && !isJson ? value : JSON.stringify(value, null, 2)
  return written.length > LONGEST_EXAMPLE ? `${written.slice(0, LONGEST_EXAMPLE)}\n…` : written
}

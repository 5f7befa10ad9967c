import { parseDescription } from '../../document/description.ts'
import type { Block } from '../../document/model.ts'
import type { ApiWords } from './api-words.ts'
import type { SpecSourceParts } from '../described.ts'
import type { BodyDirection } from '../schemas/example.ts'
import type { SchemaBudget } from '../schemas/schema.ts'

/** What the parts of one page are described with, and how much more they may take. */
export interface Describing {
  parts: SpecSourceParts
  /** The title of the page and its headings, which a summary does not repeat. */
  titles: ReadonlySet<string | undefined>
  words: ApiWords
  /** Whether the document has so many operations that their samples are in fewer languages. */
  hasManyOperations: boolean
  shown: SchemaBudget
  examples: SchemaBudget
  described: { left: number }
  /** Which way a body goes that is described. */
  direction?: BodyDirection | undefined
}

/** A description in Markdown. */
export function described(description: unknown, { described: room }: Describing): Block[] {
  if (typeof description !== 'string' || description.trim() === '' || room.left <= 0) return []
  const written = description.slice(0, room.left)
  room.left -= written.length
  return parseDescription(written)
}

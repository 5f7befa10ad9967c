import { isRecord } from '../../data/is-record.ts'
import type { SpecSourceParts } from '../described.ts'
import { exampleOf, type ExampleContext } from './example.ts'
import { resolvePart } from './schema.ts'

type Fields = Record<string, unknown>

/** Characters of an example, and how many of one media type are shown. */
const LONGEST_EXAMPLE = 20_000
const MOST_EXAMPLES = 20

/** An example that a specification gives. One of several has a title. */
export interface GivenExample {
  title?: string
  value: unknown
}

/** An example as readers see it. */
export interface WrittenExample {
  title?: string
  text: string
}

/** The examples of a media type that the specification gives. */
export function givenExamples(parts: SpecSourceParts, { example, examples }: Fields): GivenExample[] {
  if (example !== undefined) return [{ value: example }]
  if (!isRecord(examples)) return []
  return Object.entries(examples)
    .slice(0, MOST_EXAMPLES)
    .flatMap(([name, one]): GivenExample[] => {
      const found = resolvePart(parts, one).value
      if (!isRecord(found)) return []
      // The fields of 3.2 say which form of the value they have.
      const value = found['value'] ?? found['dataValue'] ?? found['serializedValue']
      if (value === undefined) return []
      const { summary } = found
      return [{ title: typeof summary === 'string' && summary.trim() !== '' ? summary.trim() : name, value }]
    })
}

/** The examples of a media type as texts: those that are given, or one that is made up if it is JSON. */
export function exampleTexts(media: Fields, type: string, context: ExampleContext): WrittenExample[] {
  const isJson = /json/i.test(type)
  const given = givenExamples(context.parts, media)
  const all = given.length > 0 || !isJson ? given : [{ value: exampleOf(context, media['schema']) }]
  return all.flatMap(({ title, value }): WrittenExample[] => {
    if (value === undefined || value === null) return []
    const written = typeof value === 'string' && !isJson ? value : JSON.stringify(value, null, 2)
    const text = written.length > LONGEST_EXAMPLE ? `${written.slice(0, LONGEST_EXAMPLE)}\n…` : written
    return [title === undefined ? { text } : { title, text }]
  })
}

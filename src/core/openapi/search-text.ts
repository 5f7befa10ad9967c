/** The text of parts of a specification that search finds. */
import { withoutHidden } from '../document/markdown/hiding-tags.ts'
import { firstCondition } from '../document/markdown/lookalikes.ts'
import { isRecord } from '../data/is-record.ts'
import { isReference } from './references.ts'
import { keysOfPointer, partPointer, type SpecPart } from './spec-parts.ts'

/** The most text of one part, in UTF-16 units, and the deepest level of its schemas that is read. */
const [LONGEST_TEXT, DEEPEST] = [20_000, 8]
/** The most text that a part adds to those that refer to it, and the most references of one part. */
const [LONGEST_SHARED, MOST_REFERENCES] = [2_000, 100]
/** The most parts whose texts one operation has. */
const MOST_PARTS = 200
/** The fields whose values are text. */
const TEXTS = new Set(['operationId', 'summary', 'description', 'title'])
/** The fields whose values hold examples or settings instead of words about the API. */
const SKIPPED = new Set(['example', 'examples', 'default', 'security', 'servers', 'x-codeSamples'])

/** Whether a description has neither conditions, nor links with words instead of their addresses. */
const isPlain = (description: string) => !/[[<&\\]/.test(description) && firstCondition(description) === -1

type Part = Pick<SpecPart, 'pointer' | 'json'>

/** What search finds of a part. */
export interface PartText {
  text: string
  /** Descriptions that are to be read as Markdown: those with conditions, or addresses, which are not found as text. */
  markdown: string[]
  /** The pointers of the parts that it refers to. */
  references: string[]
}

/**
 * The text of an operation or a schema: its path and method or its name, its tags, summary, description and operationId, and
 * the names and descriptions of its parameters, properties and schemas. Takes linear time.
 */
export function searchTextOfPart(part: Part): PartText {
  const [group, name, last] = keysOfPointer(part.pointer)
  return partText(part, {
    title: group === 'components' ? last : `${last?.toUpperCase()} ${name}`,
    longest: LONGEST_TEXT,
  })
}

/**
 * Returns the text that a shared part adds to the operations that refer to it: the names and descriptions of a
 * parameter, a body or a response, and the names of the properties of a schema. Takes linear time.
 */
export function sharedTextOfPart(part: Part): PartText {
  const isSchema = keysOfPointer(part.pointer)[1] === 'schemas'
  return partText(part, { title: undefined, longest: LONGEST_SHARED, onlyNames: isSchema })
}

/** The text of an operation with what it refers to, also by way of other parts. */
export function withSharedText(
  { text, markdown, references }: PartText,
  shared: ReadonlyMap<string, PartText>,
): Omit<PartText, 'references'> {
  const texts = [text]
  const descriptions = [...markdown]
  let left = LONGEST_TEXT - text.length - lengthOf(markdown)
  const seen = new Set(references)
  // Parts that are found on the way come after those before them, so the nearest have the room.
  for (const pointer of seen) {
    if (left <= 0) break
    const found = shared.get(pointer)
    if (!found) continue
    const some = found.text.slice(0, left)
    left -= some.length
    if (some !== '') texts.push(some)
    for (const description of found.markdown) {
      if (left <= 0) break
      descriptions.push(description.slice(0, left))
      left -= description.length
    }
    for (const next of found.references) if (seen.size < MOST_PARTS) seen.add(next)
  }
  return { text: texts.join('\n'), markdown: descriptions }
}

const lengthOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0)

function partText(
  { json }: Part,
  { title, longest, onlyNames = false }: { title: string | undefined; longest: number; onlyNames?: boolean },
): PartText {
  const texts: string[] = []
  const markdown: string[] = []
  const references = new Set<string>()
  let left = longest
  const put = (value: unknown, list = texts) => {
    if (typeof value !== 'string' || left <= 0) return
    const some = value.slice(0, left).trim()
    if (some === '') return
    left -= some.length
    list.push(some)
  }
  const putText = (key: string, value: unknown) => {
    if (typeof value !== 'string') return
    if (key !== 'description') put(withoutHidden(value))
    else put(value, isPlain(value) ? texts : markdown)
  }
  const read = (value: unknown, depth: number): void => {
    if (left <= 0 || depth > DEEPEST) return
    if (Array.isArray(value)) {
      for (const one of value as unknown[]) read(one, depth + 1)
      return
    }
    if (!isRecord(value)) return
    if (isReference(value)) {
      if (!onlyNames) put(keysOfPointer(value.$ref).at(-1))
      if (references.size < MOST_REFERENCES) references.add(partPointer(value.$ref))
    }
    // A parameter has a name, and a property called "name" has a schema.
    put(value['name'])
    for (const [key, below] of Object.entries(value)) {
      if (SKIPPED.has(key)) continue
      if (TEXTS.has(key) && typeof below === 'string') {
        if (!onlyNames) putText(key, below)
      } else if (key === 'properties' && isRecord(below)) readProperties(below, depth)
      else if (key === 'tags' && Array.isArray(below)) for (const tag of below as unknown[]) putText(key, tag)
      else read(below, depth + 1)
    }
  }
  const readProperties = (properties: Record<string, unknown>, depth: number) => {
    for (const [name, schema] of Object.entries(properties)) {
      put(name)
      // The properties of properties have operations of their own more often than not.
      if (!onlyNames) read(schema, depth + 1)
    }
  }

  put(title)
  read(JSON.parse(json), 0)
  return { text: texts.join('\n'), markdown, references: [...references] }
}

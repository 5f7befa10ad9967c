import { isRecord } from '../data/is-record.ts'
import { giveTurn, isTurnOver } from './turns.ts'

/** How deep the objects are whose members are written one at a time: `paths`, a path and its operations. */
const DEPTH = 3
/** The characters that are joined to one piece. */
const PIECE = 64 * 1024

/**
 * The JSON of a specification in pieces of UTF-8. To write a large one at once would hold the event loop, so each operation
 * and each component is written alone, and others have turns between them.
 */
export async function* jsonInSteps(document: Readonly<Record<string, unknown>>): AsyncGenerator<Buffer> {
  let text = ''
  for (const part of partsOfJson(document, DEPTH)) {
    text += part
    if (isTurnOver()) await giveTurn()
    if (text.length < PIECE) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}

function* partsOfJson(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || !isRecord(value)) {
    yield JSON.stringify(value)
    return
  }
  let before = '{'
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue
    yield `${before}${JSON.stringify(key)}:`
    yield* partsOfJson(inner, depth - 1)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

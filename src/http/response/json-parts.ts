/** The JSON of answers: parts of it can be JSON already, or be made one after the other while the client reads. */
import { randomUUID } from 'node:crypto'
import { decoded, type Encoding, type KeptCodings } from './encodings.ts'

/** Characters in a piece of a long text. */
const PIECE_LENGTH = 64 * 1024

/** Marks a part of an answer. Nobody outside can know it, so no content can contain it. */
const MARK = randomUUID()
/** The parts of the answer that is being made, in the order of their marks. */
let marked: JsonPart[] = []

/** A part of an answer that has its own way to become JSON. */
export class JsonPart {
  /** Equal texts stand for equal JSON. */
  readonly version: () => string
  /** The JSON, made again at each call. */
  readonly pieces: () => Generator<string>
  /** The characters in memory until the part is sent. */
  readonly length: number
  /** Whether the part is made while it is sent. */
  readonly isLazy: boolean
  /** Of an answer that is kept: the codings in which it was sent, and the whole text. */
  readonly kept?: { codings: KeptCodings; text: () => string }

  constructor({ version, pieces, length, isLazy, kept }: Omit<JsonPart, 'toJSON'>) {
    if (kept) this.kept = kept
    this.version = version
    this.pieces = pieces
    this.length = length
    this.isLazy = isLazy
  }

  toJSON(): string {
    marked.push(this)
    return MARK + (marked.length - 1)
  }
}

/** Lets JSON stand for the value of type `T` in an answer, so that a large one is never parsed. Nothing can be read of it. */
export function fromJson<T>(text: string): T {
  const part = { version: () => text, pieces: () => sliced(text), length: text.length, isLazy: false }
  return new JsonPart(part) as T
}

/**
 * A whole answer that is kept to be sent again: as JSON until it is sent in a coding, and from then on in the codings in
 * which it was sent. Nothing can be read of it.
 * @param resized is called with the bytes that it takes when it has been sent in another coding
 */
export function keptJson<T>(json: string, resized: (bytes: number) => void): T {
  let plain: string | undefined = json
  const coded = new Map<Encoding, Buffer>()
  const text = () => {
    if (plain !== undefined) return plain
    const [first] = coded
    return first ? decoded(first[0], first[1]) : ''
  }
  const codings: KeptCodings = {
    get: (encoding) => coded.get(encoding),
    set(encoding, bytes) {
      coded.set(encoding, bytes)
      plain = undefined
      resized([...coded.values()].reduce((sum, { length }) => sum + length, 0))
    },
  }
  const { length } = json
  const pieces = () => sliced(text())
  return Object.freeze(
    new JsonPart({ version: text, pieces, length, isLazy: false, kept: { codings, text } }),
  ) as T
}

/**
 * An array in an answer whose items are made one after the other while the client reads, so that a large one is never in
 * memory. Nothing can be read of it.
 * @param show makes an item. It may not read anything that changes.
 * @param version a text that names what the items are made of; equal texts stand for equal items
 */
export function lazyArray<R, T>(records: readonly R[], show: (record: R) => T, version: () => string): T[] {
  if (records.length === 0) return []
  function* pieces() {
    let before = '['
    for (const record of records) {
      yield before
      yield* jsonPieces(show(record))
      before = ','
    }
    yield ']'
  }
  return new JsonPart({ version, pieces, length: 0, isLazy: true }) as unknown as T[]
}

/** The JSON of an answer, divided at its parts: a text, and then in turns a part and a text. */
export interface DividedJson {
  texts: string[]
  parts: JsonPart[]
}

/** Makes the JSON of an answer, but not that of its parts. */
export function divideJson(answer: unknown): DividedJson {
  // Any other code that makes JSON of a part also leaves marks, so the list is emptied first.
  marked = []
  const json = JSON.stringify(answer)
  if (marked.length === 0) return { texts: [json], parts: [] }
  const parts = marked
  marked = []
  const texts: string[] = []
  let start = 0
  for (const index of parts.keys()) {
    const mark = `"${MARK}${index}"`
    const end = json.indexOf(mark, start)
    texts.push(json.slice(start, end))
    start = end + mark.length
  }
  texts.push(json.slice(start))
  return { texts, parts }
}

/** The JSON of an answer in pieces. No piece ends within a character. */
export function* piecesOf({ texts, parts }: DividedJson): Generator<string> {
  for (const [index, text] of texts.entries()) {
    yield text
    const part = parts[index]
    if (part) yield* part.pieces()
  }
}

function* jsonPieces(answer: unknown): Generator<string> {
  yield* piecesOf(divideJson(answer))
}

/** The JSON of an answer. */
export function answerJson(answer: unknown): string {
  return [...jsonPieces(answer)].join('')
}

/** The characters in the JSON of an answer. Beyond `most`, no more of it is made, and the result is a part of them. */
export function jsonLength(answer: unknown, most: number): number {
  let length = 0
  for (const piece of jsonPieces(answer)) {
    length += piece.length
    if (length > most) break
  }
  return length
}

function* sliced(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = start + PIECE_LENGTH
    const last = text.charCodeAt(end - 1)
    // The second half of a surrogate pair belongs to the same character.
    if (last >= 0xd800 && last < 0xdc00) end += 1
    yield text.slice(start, end)
    start = end
  }
}

/** Texts that are parts of others, with pieces deleted, repeated or inserted. */
import fc from 'fast-check'

const MOST_EDITS = 5
const LONGEST_DELETED = 60

/** A part of one of the texts. */
export function partOf(texts: readonly string[], minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.integer({ min: minLength, max: maxLength }))
    .map(([text, at, length]) => {
      const start = at % Math.max(1, text.length)
      return text.slice(start, start + length)
    })
}

/** A text with a few pieces of it deleted or replaced. */
export function damaged(text: fc.Arbitrary<string>, pieces: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edit = fc.tuple(fc.nat(), fc.nat({ max: LONGEST_DELETED }), pieces)
  return fc.tuple(text, fc.array(edit, { maxLength: MOST_EDITS })).map(([whole, edits]) =>
    edits.reduce((now, [at, length, piece]) => {
      const start = at % (now.length + 1)
      return now.slice(0, start) + piece + now.slice(start + length)
    }, whole),
  )
}

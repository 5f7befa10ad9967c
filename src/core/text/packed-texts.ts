import { needItem } from '../data/lists.ts'

/** A list of texts in one array of bytes: many texts take little memory, and move between threads quickly. */
export interface PackedTexts {
  /** The texts in UTF-8, one after the other. */
  bytes: Uint8Array<ArrayBuffer>
  /** The end of each text in `bytes`. */
  ends: Uint32Array<ArrayBuffer>
}

/** Packs texts. A lone surrogate becomes U+FFFD. */
export function packTexts(texts: readonly string[]): PackedTexts {
  // Two lone surrogates side by side would become one character.
  const wellFormed = texts.map((text) => text.toWellFormed())
  const bytes = new TextEncoder().encode(wellFormed.join(''))
  const ends = new Uint32Array(texts.length)
  let end = 0
  wellFormed.forEach((text, i) => {
    end += Buffer.byteLength(text)
    ends[i] = end
  })
  return { bytes, ends }
}

/** The text with an index. */
export function textAt({ bytes, ends }: PackedTexts, index: number): string {
  const start = index === 0 ? 0 : needItem(ends, index - 1)
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, needItem(ends, index) - start).toString()
}

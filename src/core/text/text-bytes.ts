import { giveTurn } from '../runtime/turns.ts'

/** UTF-16 units that become bytes at once. */
const PIECE = 256 * 1024

/** The UTF-8 form of a long text in pieces, with turns for other work in between. The text has no lone surrogates. */
export async function* bytesOfText(text: string): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PIECE, text.length)
    // No piece ends within a surrogate pair.
    if (end < text.length && (text.charCodeAt(end) & 0xfc_00) === 0xdc_00) end += 1
    yield Buffer.from(text.slice(start, end))
    start = end
    await giveTurn()
  }
}

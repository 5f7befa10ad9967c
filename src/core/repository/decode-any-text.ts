/** Text in encodings that it does not name. */
import { because } from '../languages/reasons.ts'
import { isLeftAlone } from '../text/file-paths.ts'
import { decodeText, utf16Mark } from './decode-text.ts'
import type { Problem } from './model.ts'

/** A text, and the encoding that its bytes most likely have. */
export interface GuessedText {
  text: string
  /** As people write it: `UTF-16`. */
  encoding: string
}

/** The bytes at the beginning that tell UTF-16 from other encodings. */
const LOOKED_AT = 1000
/** Of every second byte, the part that is NUL in UTF-16 of a text with spaces and markup. */
const NULS = 0.3

/**
 * Decodes any bytes in linear time: as UTF-16 if they have its NUL bytes, as damaged UTF-8 if most of the characters that
 * are not ASCII are valid, and otherwise as Windows-1252, which decodes everything. A character that is not valid and NUL become U+FFFD, as
 * CommonMark requires for NUL.
 */
export function decodeAnyText(bytes: Uint8Array): GuessedText {
  const utf16 = utf16Of(bytes)
  if (utf16 !== undefined)
    return { text: withoutNul(new TextDecoder(utf16).decode(bytes)), encoding: 'UTF-16' }

  const text = new TextDecoder().decode(bytes)
  const [damaged, others] = countNonAscii(text)
  if (others >= damaged) return { text: withoutNul(text), encoding: 'UTF-8' }
  return { text: withoutNul(new TextDecoder('windows-1252').decode(bytes)), encoding: 'Windows-1252' }
}

/** The files of an archive, with each page that is not text decoded as what it most likely is, and listed. */
export function withDecodedPages(files: ReadonlyMap<string, Uint8Array>): {
  files: Map<string, Uint8Array>
  problems: Problem[]
} {
  const decoded = { files: new Map(files), problems: [] as Problem[] }
  for (const [path, bytes] of files) {
    if (!/\.(?:md|mdx|markdown)$/i.test(path) || decodeText(bytes) !== undefined) continue
    const { text, encoding } = decodeAnyText(bytes)
    decoded.files.set(path, new TextEncoder().encode(text))
    if (isLeftAlone(path)) continue
    const why =
      encoding === 'UTF-8' ? because('characters-not-utf-8') : because('read-as-encoding', { encoding })
    decoded.problems.push({ kind: 'conversion', path, ...why })
  }
  return decoded
}

const withoutNul = (text: string) => text.replaceAll('\0', '\ufffd')

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const marked = utf16Mark(bytes)
  if (marked) return marked
  const beginning = bytes.subarray(0, LOOKED_AT)
  const hasNulsAt = (side: 0 | 1) => {
    const nuls = beginning.reduce((count, byte, at) => (byte === 0 && at % 2 === side ? count + 1 : count), 0)
    return nuls >= (NULS * beginning.length) / 2
  }
  const [high, low] = [hasNulsAt(0), hasNulsAt(1)]
  if (high === low) return undefined
  return high ? 'utf-16be' : 'utf-16le'
}

/** The numbers of replacement characters, and of other characters that are not ASCII. */
function countNonAscii(text: string): [damaged: number, others: number] {
  let [damaged, others] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) damaged += 1
    else if (code > 0x7f) others += 1
  }
  return [damaged, others]
}

import { because } from '../../languages/reasons.ts'
import { utf16Mark } from '../../repository/decode-text.ts'
import { ImportRefused } from '../../repository/refused.ts'

const MOST_BYTES = 20 * 1024 * 1024

/**
 * The text of a file of HTML, in the encoding that it declares, or else UTF-8.
 * @param named the encoding that the server named, which comes first
 */
export function decodeHtml(bytes: Uint8Array, path = 'the page', named?: string): string {
  if (bytes.length > MOST_BYTES)
    throw new ImportRefused(because('import-html-too-large', { path, size: MOST_BYTES / 1024 / 1024 }), path)
  const utf16 = utf16Mark(bytes)
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024))
  const label = /<meta[^>]{0,200}charset=["']?([\w-]{1,40})/i.exec(start)?.[1]
  return decoderOf(named ?? label).decode(bytes)
}

function decoderOf(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label ?? 'utf-8')
  } catch {
    return new TextDecoder('utf-8')
  }
}

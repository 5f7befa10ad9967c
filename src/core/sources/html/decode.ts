import { ImportRefused } from '../../repository/refused.ts'

const MOST_BYTES = 20 * 1024 * 1024

/**
 * The text of a file of HTML, in the encoding that it declares, or else UTF-8.
 * @param named the encoding that the server named, which comes first
 */
export function decodeHtml(bytes: Uint8Array, path = 'the page', named?: string): string {
  if (bytes.length > MOST_BYTES)
    throw new ImportRefused(`"${path}" is larger than ${MOST_BYTES / 1024 / 1024} MB of HTML`, path)
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
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

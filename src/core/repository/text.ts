/**
 * The text of a file: UTF-8, or UTF-16 where a byte order mark says so, which some editors write.
 * Undefined for anything else, and for text with a NUL character, which no database stores.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)

    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'

  return 'utf-8'
}

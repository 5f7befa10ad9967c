/**
 * Decodes a file as UTF-8, or as UTF-16 if it starts with that byte order mark, which some editors write. Returns
 * undefined for other bytes, and for text with a NUL character, because PostgreSQL cannot store one.
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

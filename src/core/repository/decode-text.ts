/**
 * Decodes a file as UTF-8, or as UTF-16 if it starts with that byte order mark, which some editors write. Returns
 * undefined for other bytes, and for text with a NUL character, because PostgreSQL cannot store one.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder(utf16Mark(bytes) ?? 'utf-8', { fatal: true }).decode(bytes)

    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** The form of UTF-16 whose byte order mark a file starts with. */
export function utf16Mark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

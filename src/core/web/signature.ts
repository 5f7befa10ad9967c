/** The number of bytes at the start of a file that are examined. */
const SIGNATURE_BYTES = 1024

const SIGNATURES: readonly [RegExp, string][] = [
  [/^\x89PNG\r\n[^]\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
  [/^[^]{4}ftypavi[fs]/, 'image/avif'],
  [/^[^]{4}ftyp(?:hei[cx]|hev[cx]|mif1|msf1)/, 'image/heic'],
  [/^[^]{4}ftypM4A /, 'audio/mp4'],
  [/^[^]{4}ftypqt {2}/, 'video/quicktime'],
  [/^[^]{4}ftyp/, 'video/mp4'],
  [/^[^]E\xdf\xa3/, 'video/webm'],
  [/^OggS/, 'audio/ogg'],
  [/^RIFF[^]{4}WAVE/, 'audio/wav'],
  [/^ID3[^]{7}/, 'audio/mpeg'],
  [/^%PDF-/, 'application/pdf'],
  [
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml\s[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!DOCTYPE svg\b[^>]*>\s*)?<svg[\s>]/,
    'image/svg+xml',
  ],
]

/** Detects the content type from the first bytes of a file (`SIGNATURES`). Returns undefined if none matches. */
export function shownType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('latin1')
  return SIGNATURES.find(([signature]) => signature.test(start))?.[1]
}

/** Returns true for a content type that can be detected from bytes. */
export function isShown(contentType: string): boolean {
  return SIGNATURES.some(([, type]) => type === contentType)
}

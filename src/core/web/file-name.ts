/**
 * Escapes a file name as the last segment of a URL. The names `.` and `..` become `_`, because clients resolve them as
 * folders even if they are percent-encoded.
 */
export function nameInAddress(name: string): string {
  return /^\.{1,2}$/.test(name) ? '_' : encodeURIComponent(name)
}

/** A `Content-Disposition` header with the name in ASCII for old clients and in UTF-8 (RFC 6266, RFC 8187). */
export function contentDisposition(how: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const extended = encodeURIComponent(name).replace(/['()*]/g, escapeByte)
  return `${how}; filename="${ascii}"; filename*=UTF-8''${extended}`
}

const escapeByte = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

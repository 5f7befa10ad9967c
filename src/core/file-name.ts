/**
 * A file's name as the last part of an address. One that would mean a folder becomes `_`, for addresses are shortened by
 * it however it is encoded.
 */
export function nameInAddress(name: string): string {
  return /^\.{1,2}$/.test(name) ? '_' : encodeURIComponent(name)
}

/** A `Content-Disposition` with the name in ASCII for old clients, and as it is (RFC 6266, RFC 8187). */
export function contentDisposition(how: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const extended = encodeURIComponent(name).replace(/['()*]/g, escapeByte)
  return `${how}; filename="${ascii}"; filename*=UTF-8''${extended}`
}

const escapeByte = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

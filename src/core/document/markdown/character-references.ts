/** References of HTML to characters that can be read without a parser of HTML. */

const names = new Map<string, string>([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&nbsp;', '\u00a0'],
])

/** The character of a reference with a number, or with one of the most used names; undefined for other names. */
export function decodeReference(written: string): string | undefined {
  return written[1] === '#' ? numbered(written) : names.get(written)
}

function numbered(written: string): string {
  const code = /^&#x/i.test(written)
    ? Number.parseInt(written.slice(3, -1), 16)
    : Number.parseInt(written.slice(2, -1), 10)
  const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return valid ? String.fromCodePoint(code) : '\ufffd'
}

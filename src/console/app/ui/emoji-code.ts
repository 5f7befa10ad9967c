/** An emoji as the API stores it: the code points in hexadecimal, joined by dashes. */
export function emojiCode(text: string): string {
  return [...text.trim()].map((one) => one.codePointAt(0)?.toString(16) ?? '').join('-')
}

/** The emoji of such a code. */
export function emojiText(code: string): string {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(code)) return code
  const points = code.split('-').map((one) => Number.parseInt(one, 16))
  return points.every((one) => one <= 0x10ffff)
    ? points.map((one) => String.fromCodePoint(one)).join('')
    : code
}

/** Letters that do not occur in a source, and stand for characters and numbers in its masked form. */

/** Blocks of 2,048 code units that supply the letters, private-use blocks first. */
export const HOMES = [
  0xe000,
  0xe800,
  0xf000,
  ...Array.from({ length: 26 }, (_, index) => 0xd000 - index * 0x800),
]
/** Within a home: 0–127 replace that ASCII character, 128–1,023 other characters, and 1,024–2,047 are digits. */
export const DIGITS = 1024
export const OTHERS = 128

export function usesHome(source: string, home: number): boolean {
  return new RegExp(`[${hex(home)}-${hex(home + 2 * DIGITS - 1)}]`).test(source)
}

export function shift(ascii: string, home: number): string {
  return ascii.replace(/[\x21-\x7e]/g, (char) => String.fromCharCode(home + char.charCodeAt(0)))
}

export function writeNumber(number: number, width: number, home: number): string {
  let digits = ''
  for (let rest = number, left = width; left > 0; left -= 1, rest = Math.floor(rest / DIGITS))
    digits = String.fromCharCode(home + DIGITS + (rest % DIGITS)) + digits
  return digits
}

export function readNumber(digits: string, home: number): number {
  return [...digits].reduce((number, digit) => number * DIGITS + digit.charCodeAt(0) - home - DIGITS, 0)
}

export function hex(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}

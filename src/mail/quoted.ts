/** The longest quotation, in characters. */
const LONGEST = 80
/** More is not looked at. */
const LONGEST_READ = 400

/** Controls, marks of direction, invisible characters, and every kind of space and line break. */
const BREAKS = /[\p{C}\p{Z}]+/gu
const QUOTATION_MARKS = /["“”„‟«»「」『』]/gu
/** Characters that make an address of the letters after them. NFKC has replaced their wide forms. */
const IN_ADDRESSES = /[.:@/\\\u3002](?=[^ ])/gu

/**
 * Text that a user has chosen, such as a title, as an e-mail quotes it: one short line within quotation marks, that
 * programs find no address in and that cannot end the quotation.
 */
export function quotedInEmail(text: string): string {
  const line = text
    .slice(0, LONGEST_READ)
    .normalize('NFKC')
    .slice(0, LONGEST_READ)
    .replaceAll(BREAKS, ' ')
    .replaceAll(QUOTATION_MARKS, "'")
    .replaceAll(IN_ADDRESSES, '$& ')
    .trim()
  const characters = [...line]
  const isShort = characters.length <= LONGEST
  return `“${isShort ? line : `${characters.slice(0, LONGEST - 1).join('')}…`}”`
}

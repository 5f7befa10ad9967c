/**
 * What a terminal obeys instead of showing it: the controls C0 and C1, which begin escape sequences, separators of lines,
 * and the controls of direction, which show a text in another order (Unicode Standard Annex 9).
 */
const OBEYED = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u206a-\u206f\ufeff\ufff9-\ufffb]/gu

/** A text of others on one line of a terminal. What a terminal would obey is written as JSON writes it, such as `\u009b`. */
export function printable(text: string): string {
  return text.replace(OBEYED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

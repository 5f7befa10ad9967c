/** What it costs the parser to read a source. */

/**
 * The highest cost of signs at which a source is parsed. The parser's time grows with the square of a paragraph's
 * length: this cost takes it up to half a second. Real pages cost less than a hundredth of it.
 */
const SIGN_COST = 1_000_000_000
/** A source below this length is always cheap enough. */
const SHORT = 8_000

/** Whether a source is so short that the parser reads it in no time, whatever it holds. */
export const isShort = (source: string) => source.length <= SHORT

/** Whether the parser would need minutes for a source. */
export const isTooCostly = (source: string) => !isShort(source) && costOf(source) > SIGN_COST

/**
 * The parser's work beyond the length of the source: the sum, over all signs, of the length of the paragraph so far.
 * Tags of HTML take the parser an eighth of that.
 */
function costOf(source: string): number {
  const token = /\n[ \t]*\r?(?=\n)|[*_~`[\]<>$&@]|\{%|www\.|:\/\/|\\/g
  let paragraph = 0
  let cost = 0
  for (let match = token.exec(source); match; match = token.exec(source)) {
    if (match[0].startsWith('\n')) paragraph = match.index
    else cost += (match.index - paragraph) / (/[<>]/.test(match[0]) ? 8 : 1)
  }
  return cost + costOfAddresses(source)
}

/** At each closing bracket in a web address the parser counts the brackets before it. */
function costOfAddresses(source: string): number {
  let cost = 0
  for (const [word] of source.matchAll(/(?:www\.|:\/\/)[^\s<]{256,}/gi))
    cost += ((word.split(')').length - 1) * word.length) / 2
  return cost
}

/**
 * The words of a text, as search finds them. Text of scripts that put no space between words (Chinese, Japanese, Thai …)
 * is indexed by its characters and pairs of characters, so that each word of it is found, and each part of a word.
 */

/** The longest word that is indexed, in UTF-16 units. Longer ones are cut. */
const LONGEST_WORD = 64
/** Scripts without spaces between words, and Korean, whose words carry endings. */
const DENSE =
  '[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}\\p{scx=Yi}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]&&[\\p{L}\\p{M}\\p{Nl}\\p{No}]]'
const LETTER = `[[\\p{L}\\p{M}\\p{N}_]--${DENSE}]`
/** Each repetition ends at a character that it does not contain, so that matching takes linear time. */
const RUNS = new RegExp(`(${DENSE}+)|${LETTER}+(?:[.\\-'’]${LETTER}+)*`, 'gv')
const WITHIN = /[._\-'’]+/
/** Before each capital that begins a word: `getSpace`, `HTTPServer`. */
const CAPITALS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const COMBINING = /[\u0300-\u036f]/g

/** A run of letters in a text: a word, an identifier, or dense text without spaces. */
export interface Run {
  /** UTF-16 offsets in the text. */
  start: number
  end: number
  text: string
  isDense: boolean
}

/** The runs of a text, in order. Takes linear time. */
export function* runsIn(text: string): Generator<Run> {
  for (const match of text.matchAll(RUNS)) {
    const [run, dense] = match
    yield { start: match.index, end: match.index + run.length, text: run, isDense: dense !== undefined }
  }
}

/** The same runs of a text without other letters, which most texts are; several times as fast. */
const ASCII_RUNS = /\w+(?:[.\-']\w+)*/g
const STARTS_DENSE = new RegExp(`^${DENSE}`, 'v')

/** Passes each run of a text on, as one that is dense or one that is not. Takes linear time. */
export function eachRun(
  text: string,
  { dense, spaced }: Record<'dense' | 'spaced', (run: string) => void>,
): void {
  for (const run of text.match(isAscii(text) ? ASCII_RUNS : RUNS) ?? []) {
    if (run.charCodeAt(0) > LAST_ASCII && STARTS_DENSE.test(run)) dense(run)
    else spaced(run)
  }
}

const LAST_ASCII = 0x7f
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/

/** Whether a text has no letters but those from A to Z. */
export function isAscii(text: string): boolean {
  return ASCII.test(text)
}

/** Chinese characters have none of the differences that `fold` removes. */
const HAN = /^[\u4e00-\u9fff]+$/

/** A word as it is compared: without differences of case, width and accents. */
export function fold(word: string): string {
  if (HAN.test(word)) return word
  if (isAscii(word)) return word.toLowerCase()
  return word.normalize('NFKC').toLowerCase().normalize('NFD').replace(COMBINING, '').normalize('NFC')
}

/** A word or identifier, as a whole and in its parts. */
export interface Identifier {
  /** Without what joins its parts, so that `snake_case`, `snake-case` and `snakeCase` are one. */
  whole: string
  /** The words that it is made of, if it has more than one. */
  parts: string[]
}

/** Reads a run that is not dense. */
export function identifierOf(run: string): Identifier {
  const pieces = run.split(WITHIN).filter(Boolean)
  const parts = pieces.flatMap((piece) => piece.split(CAPITALS)).map((part) => cut(fold(part)))
  // Versions and addresses keep their dots: 1.2.3 is not 123.
  const isNumber = pieces.length > 1 && pieces.every((piece) => /^\p{N}+$/u.test(piece))
  const whole = cut(parts.join(isNumber ? '.' : ''))
  return { whole, parts: parts.length > 1 ? parts.filter((part) => isNumber || [...part].length > 1) : [] }
}

/** The characters of dense text, folded. A character with its marks is one. */
export function charactersOf(dense: string): string[] {
  return [...fold(dense)]
}

/** The forms by which a word of dense text is found: pairs of characters, or the character that it consists of. */
export function pairsOf(characters: readonly string[]): string[] {
  if (characters.length < 2) return [...characters]
  return characters.slice(1).map((character, i) => characters[i]! + character)
}

function cut(word: string): string {
  return word.length <= LONGEST_WORD ? word : word.slice(0, LONGEST_WORD).toWellFormed()
}

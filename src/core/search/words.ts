/**
 * The words of a text, as search finds them. Text of scripts that put no space between words (Chinese, Japanese, Thai …)
 * is indexed by its characters and pairs of characters, so that each word of it is found, and each part of a word.
 */

import { append } from '../data/lists.ts'
import { fold, isAscii } from './forms/fold.ts'

/** The longest word that is indexed, in UTF-16 units. Longer ones are cut. */
const LONGEST_WORD = 64
/** Scripts without spaces between words, and Korean, whose words carry endings. */
const DENSE =
  '[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}\\p{scx=Yi}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}]&&[\\p{L}\\p{M}\\p{Nl}\\p{No}]]'
const LETTER = `[[\\p{L}\\p{M}\\p{N}_]--${DENSE}]`
/** Within a run of dense text: the dot between words in Katakana, and characters without width. */
const DENSE_JOINER = '[\\u30fb\\uff65\\u200b-\\u200d\\u2060]'
/** Within a word or identifier: also the marks of Hebrew abbreviations, soft hyphens, and characters without width. */
const JOINER = "[.\\-'’\\u05f3\\u05f4\\u00ad\\u200c\\u200d\\u2060]"
/** Each repetition ends at a character that it does not contain, so that matching takes linear time. */
const RUNS = new RegExp(`(${DENSE}+(?:${DENSE_JOINER}${DENSE}+)*)|${LETTER}+(?:${JOINER}${LETTER}+)*`, 'gv')
/** Divides identifiers, and Persian words at the zero-width non-joiner. */
const WITHIN = /[._\-'’\u200c]+/
/** Before each capital that begins a word: `getSpace`, `HTTPServer`. */
const CAPITALS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

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

/** A word or identifier, as a whole and in its parts, in one spelling. */
export interface Identifier {
  /** Without what joins its parts, so that `snake_case`, `snake-case` and `snakeCase` are one. */
  whole: string
  /** The words that it is made of, if it has more than one. */
  parts: string[]
}

/** Numbers that dots join, such as those of a version. A match begins at a first digit, so it takes linear time. */
const NUMBERS = /(?<!\p{N})\p{N}+(?:\.\p{N}+)+/gu
const DIGITS = /^\p{N}+$/u
const ENDS_IN_DIGIT = /\p{N}$/u
const BEGINS_WITH_DIGIT = /^\p{N}/u

/**
 * Reads a run that is not dense. Numbers keep a dot between them: 1.2.3 is not 123, and 5-7 is not 57.
 * @param spell the spelling of its parts
 */
export function identifierOf(run: string, spell: (part: string) => string = fold): Identifier {
  const pieces = run.split(WITHIN).filter(Boolean)
  const versions = run.match(NUMBERS) ?? []
  if (pieces.length > 1 && pieces.every((piece) => DIGITS.test(piece))) {
    const numbers = pieces.map((piece) => cut(spell(piece)))
    // 8.0.1-1 is also found by 8.0.1.
    const inside = versions.filter((version) => version !== run).map((version) => cut(spell(version)))
    return { whole: cut(numbers.join('.')), parts: [...numbers, ...inside] }
  }
  const parts: string[] = []
  const more: string[] = []
  let done = 0
  for (const version of versions) {
    const at = run.indexOf(version, done)
    const before = runParts(run.slice(done, at), spell)
    append(parts, before)
    // Letters directly before a number belong to it: v8.0.1 is also found by v8.
    const letters = at > done && !WITHIN.test(run.charAt(at - 1)) ? before.at(-1) : undefined
    const [major = ''] = version.split('.', 1)
    if (letters !== undefined) more.push(cut(letters + spell(major)))
    parts.push(cut(spell(version)))
    done = at + version.length
  }
  append(parts, runParts(run.slice(done), spell))
  return {
    whole: cut(parts.map((part, i) => (touch(parts[i - 1] ?? '', part) ? `.${part}` : part)).join('')),
    parts: parts.length > 1 ? [...parts.filter(isLong), ...more] : [],
  }
}

const touch = (before: string, after: string): boolean =>
  ENDS_IN_DIGIT.test(before) && BEGINS_WITH_DIGIT.test(after)

/** The words that a run is made of. */
const runParts = (run: string, spell: (part: string) => string): string[] =>
  run
    .split(WITHIN)
    .filter(Boolean)
    .flatMap((piece) => piece.split(CAPITALS))
    .map((part) => cut(spell(part)))

const isLong = (part: string): boolean => [...part].length > 1

/** A run as stems are made from it in a language: in lower case, with its accents. */
export function loweredIdentifier(run: string, language: string): Identifier {
  return identifierOf(run, (part) => part.normalize('NFC').toLocaleLowerCase(language === 'tr' ? 'tr' : 'en'))
}

/** The characters of dense text, folded. A character with its marks is one. */
export function charactersOf(dense: string): string[] {
  return [...fold(dense)]
}

/** The forms by which a word of dense text is found: pairs of characters, or the character that it consists of. */
export function pairsOf(characters: readonly string[]): string[] {
  const [first = '', ...others] = characters
  if (others.length === 0) return [...characters]
  let before = first
  return others.map((character) => {
    const pair = before + character
    before = character
    return pair
  })
}

function cut(word: string): string {
  return word.length <= LONGEST_WORD ? word : word.slice(0, LONGEST_WORD).toWellFormed()
}

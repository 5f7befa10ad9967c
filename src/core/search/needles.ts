/** The words of a query, prepared for being searched in many texts, and their places in a text. */
import type { Query, QueryWord } from './query.ts'
import { foldedText } from './query.ts'
import { charactersOf, pairsOf } from './words.ts'

/** A word of a query, prepared for being searched in many texts. */
interface Needle {
  /** In lower case, the worthiest form first. */
  forms: NeedleForm[]
  /** What the word is made of, which counts where no form of the whole word is. */
  parts: NeedleForm[]
  /** How many parts the word has, those included that a text does not have. */
  partCount: number
  rarity: number
}

export interface NeedleForm {
  text: string
  worth: number
  /** A short word must not be a part of another. */
  isShort: boolean
}

/** A query, prepared for being searched in many texts. */
export interface Needles {
  words: Needle[]
  /** The query as it was typed, folded. */
  whole: string
  /** The words as a set, to compare with titles. */
  names: Set<string>
  total: number
}

const MOST_PLACES = 30
/** Shorter words must not be a part of another. */
export const SHORT = 4
/** All parts of a word are there, but not the word; it is less if some of them are missing. */
const PART_WORTH = 0.35

/** Prepares a query. @param rarities of its words, and then those of its phrases */
export function needlesOf(
  { words, phrases }: Query,
  rarities: readonly number[],
  corrections: ReadonlyMap<string, readonly string[]>,
): Needles {
  const all = [...words, ...phrases.flatMap((one) => one.words)]
  // Words such as "a" and "the" stand everywhere, which takes long to find out and says nothing.
  const needles = all.flatMap((word, i) =>
    word.isCommon && i < words.length
      ? []
      : needleOf(word, rarities[i] ?? 1, corrections.get(word.whole) ?? []),
  )
  return {
    words: needles,
    whole: foldedText([...words.map(({ typed }) => typed), ...phrases.map(({ text }) => text)].join(' ')),
    names: new Set(
      all.flatMap((word) => [
        word.whole,
        word.stem,
        ...(word.isDense ? pairsOf(charactersOf(word.whole)) : word.parts),
        ...(corrections.get(word.whole) ?? []),
      ]),
    ),
    total: needles.reduce((sum, { rarity }) => sum + rarity, 0) || 1,
  }
}

function needleOf(word: QueryWord, rarity: number, corrections: readonly string[]): Needle {
  const forms = new Map<string, number>()
  const add = (text: string, worth: number) => {
    if (text !== '' && !forms.has(text)) forms.set(text, worth)
  }
  add(word.typed.toLowerCase(), 1)
  add(word.whole, 1)
  for (const one of corrections) add(one, 0.8)
  if (word.stem.length >= SHORT) add(word.stem, 0.8)
  const formOf = (text: string, worth: number): NeedleForm => ({
    text,
    worth,
    isShort: !word.isDense && text.length < SHORT,
  })
  return {
    forms: [...forms].map(([text, worth]) => formOf(text, worth)),
    parts: word.parts.map((part) => formOf(part, PART_WORTH)),
    partCount: word.parts.length,
    rarity,
  }
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u
/** Whether each UTF-16 unit is a letter or number: 0 until it is asked, then 1 for no and 2 for yes. */
const LETTERS = new Uint8Array(0x1_00_00)

export function isLetterAt(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false
  const unit = text.charCodeAt(at)
  if (LETTERS[unit] === 0) LETTERS[unit] = WORD_CHARACTER.test(String.fromCharCode(unit)) ? 2 : 1
  return LETTERS[unit] === 2
}

/** The first place after `at` where a word could start. Without it, a word would be searched at each of its letters. */
export function afterWord(text: string, at: number): number {
  let next = at + 1
  while (isLetterAt(text, next - 1)) next++
  return next
}

/** Where a needle is in a text. */
interface NeedlePlaces {
  places: readonly number[]
  length: number
  worth: number
}

export const NOWHERE: NeedlePlaces = { places: [], length: 0, worth: 0 }

/**
 * The places of a needle in a text in lower case, of the worthiest form that is there, or else of one of its parts. A
 * heading with one part of an identifier says little about the identifier, so parts that are missing count against it.
 */
export function placesOf(text: string, { forms, parts, partCount }: Needle): NeedlePlaces {
  for (const form of forms) {
    const places = placesOfForm(text, form)
    if (places.length > 0) return { places, length: form.text.length, worth: form.worth }
  }
  let found = NOWHERE
  let count = 0
  for (const part of parts) {
    const places = placesOfForm(text, part)
    if (places.length === 0) continue
    count++
    if (found === NOWHERE) found = { places, length: part.text.length, worth: part.worth }
  }
  return count === 0 ? NOWHERE : { ...found, worth: found.worth * (count / partCount) ** 2 }
}

function placesOfForm(text: string, { text: form, isShort }: NeedleForm): number[] {
  const places: number[] = []
  let at = text.indexOf(form)
  while (at >= 0 && places.length < MOST_PLACES) {
    const isWord = !isShort || standsAlone(text, at, form.length)
    if (isWord) places.push(at)
    at = text.indexOf(form, isWord ? at + form.length : afterWord(text, at))
  }
  return places
}

function standsAlone(text: string, at: number, length: number): boolean {
  return !isLetterAt(text, at - 1) && !isLetterAt(text, at + length)
}

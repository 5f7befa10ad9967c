/** The lookups of a query in the index, and the weight of each answer. */
import { append } from '../data/lists.ts'
import { type TextPlace, PLACES, STEM_LETTERS, WORD_LETTERS } from './index-pages.ts'
import type { Query, QueryWord } from './query.ts'

/** One question to the index: which entries have a form? */
export interface TokenLookup {
  /** A letter for place and form, and the word, as `indexPages` writes them. */
  token: string
  /** Whether words that begin with this one count too. */
  isPrefix: boolean
  /** The weight of an entry that has the token. */
  weight: number
}

/** The questions about one word of a query. */
export interface WordLookups {
  whole: TokenLookup[]
  /** For each part of the word. An entry that has all parts has the word, though it is worth less. */
  parts: TokenLookup[][]
}

const PLACE_WEIGHT: Record<TextPlace, number> = { title: 9, heading: 4, often: 2, text: 1 }
const STEM = 0.8
const PREFIX = 0.6
const WITHIN = 0.5
/** For one typing error; each further one counts the same again. */
const TYPO = 0.5
export const PARTS = 0.75

/** The questions about a word. */
export function lookupsOf({
  whole,
  parts,
  partStems,
  isPrefix,
  isDense,
  stems: all,
}: QueryWord): WordLookups {
  const own = isDense && parts.length > 0 ? [] : exact(whole)
  if (!isDense) append(own, stems(whole, all))
  if (isPrefix) append(own, exact(whole, PREFIX, true))
  return {
    whole: own,
    parts: parts.map((part, i) => [
      ...exact(part),
      ...(isDense ? [] : stems(part, partStems[i] ?? [])),
      ...(isPrefix && i === parts.length - 1 && part.length > 1 ? exact(part, PREFIX, true) : []),
    ]),
  }
}

/** The questions about a word in exactly this form. */
export function exactLookups({ whole }: QueryWord): WordLookups {
  return { whole: exact(whole), parts: [] }
}

/** The questions about a compound that has a word of the query as a part. */
export function compoundLookups(compound: string): TokenLookup[] {
  return exact(compound, WITHIN)
}

/** The question about a word that the reader may have meant. @param errors the number of typing errors */
export function correctedLookups(word: string, errors: number): TokenLookup[] {
  return exact(word, TYPO ** errors)
}

function exact(word: string, factor = 1, isPrefix = false): TokenLookup[] {
  return PLACES.map((place) => ({
    token: WORD_LETTERS[place] + word,
    isPrefix,
    weight: PLACE_WEIGHT[place] * factor,
  }))
}

function stems(word: string, all: readonly string[]): TokenLookup[] {
  return all.flatMap((short) => {
    const inflected = PLACES.map((place) => ({
      token: STEM_LETTERS[place] + short,
      isPrefix: false,
      weight: PLACE_WEIGHT[place] * STEM,
    }))
    return short === word ? inflected : [...inflected, ...exact(short, STEM)]
  })
}

/** Every word of a query, in the order in which its lookups are asked: words, those of phrases, those to leave out. */
export function allWords({ words, phrases, without }: Query): QueryWord[] {
  return [...words, ...phrases.flatMap((one) => one.words), ...without.flatMap((one) => one.words)]
}

/** The words of a query, prepared for being searched in many texts. */
import { fold } from './forms/fold.ts'
import type { Query, QueryWord } from './query.ts'
import { foldedText } from './query.ts'
import { stemsOf } from './forms/stem.ts'
import { charactersOf, pairsOf } from './words.ts'

/** A word of a query, prepared for being searched in many texts. */
export interface Needle {
  /** Folded, the worthiest form first. */
  forms: NeedleForm[]
  /** The texts to look for, each with the numbers of the forms that begin with it: a stem is found with its words. */
  scans: { text: string; forms: number[] }[]
  /** The parts of the word, which count where no form of the whole word occurs. */
  parts: NeedleForm[]
  /** How many parts the word has, those included that a text does not have. */
  partCount: number
  /** Whether a text that has the whole query has a form of the word. Short words can end within another one there. */
  isInWhole: boolean
  rarity: number
}

export interface NeedleForm {
  text: string
  worth: number
  /** A short word must not be a part of another. */
  isShort: boolean
  /** Whether a folded word is another form of the word, or a longer word; undefined if its script has no spaces. */
  isFormOf: ((folded: string) => boolean) | undefined
}

/** A query, prepared for being searched in many texts. */
export interface Needles {
  words: Needle[]
  /** The query as it was typed, folded. */
  whole: string
  /** The words as a set, to compare with titles, and those of them that count where a word begins so. */
  names: Set<string>
  beginnings: string[]
  total: number
}

/** Shorter words must not be a part of another. */
export const SHORT = 4
/** All parts of a word are there, but not the word; it is less if some of them are missing. */
const PART_WORTH = 0.35
/** Another form of a word is there, or the word that a typing error was meant to be. */
const OTHER_FORM_WORTH = 0.8
/** A longer word begins with the word. */
const BEGINNING_WORTH = 0.6
/** The word stands within a longer one. */
const WITHIN_WORTH = 0.5
/** A longer run of letters is not a form of another word. */
const LONGEST_WORD = 60

/** Prepares a query. @param rarities of its words, and then those of its phrases */
export function needlesOf(
  { words, phrases, languages }: Query,
  rarities: readonly number[],
  corrections: ReadonlyMap<string, readonly string[]>,
): Needles {
  const all = [...words, ...phrases.flatMap((one) => one.words)]
  // Words such as "a" and "the" stand everywhere, which takes long to find out and says nothing.
  const whole = foldedText([...words.map(({ typed }) => typed), ...phrases.map(({ text }) => text)].join(' '))
  const needles = all.flatMap((word, i) =>
    word.isCommon && i < words.length
      ? []
      : needleOf(word, rarities[i] ?? 1, {
          whole,
          languages,
          corrections: corrections.get(word.whole) ?? [],
        }),
  )
  const names = new Set(
    all.flatMap((word) => [
      word.whole,
      ...word.stems,
      ...(word.isDense ? pairsOf(charactersOf(word.whole)) : word.parts),
      ...(corrections.get(word.whole) ?? []),
    ]),
  )
  return {
    words: needles,
    whole,
    names,
    beginnings: [...names].filter((name) => name.length >= SHORT),
    total: needles.reduce((sum, { rarity }) => sum + rarity, 0) || 1,
  }
}

function needleOf(
  word: QueryWord,
  rarity: number,
  {
    whole,
    languages,
    corrections,
  }: { whole: string; languages: ReadonlySet<string>; corrections: readonly string[] },
): Needle {
  const forms = new Map<string, number>()
  const add = (text: string, worth: number) => {
    if (text !== '' && !forms.has(text)) forms.set(text, worth)
  }
  add(fold(word.typed), 1)
  add(word.whole, 1)
  for (const one of corrections) add(one, OTHER_FORM_WORTH)
  for (const one of word.stems) if (word.isDense || !isShortWord(one)) add(one, OTHER_FORM_WORTH)
  const formsOf = formTest(languages)
  const isForm = formsOf(word.whole, word.stems)
  const formOf = (text: string, worth: number): NeedleForm => ({
    text,
    worth,
    isShort: !word.isDense && isShortWord(text),
    isFormOf: word.isDense ? undefined : corrections.includes(text) ? formsOf(text) : isForm,
  })
  const own = [...forms].map(([text, worth]) => formOf(text, worth))
  return {
    forms: own,
    isInWhole: own.some(({ text, isShort }) => !isShort && whole.includes(text)),
    scans: scansOf([...forms.keys()]),
    parts: word.parts.map((part) => formOf(part, PART_WORTH)),
    partCount: word.parts.length,
    rarity,
  }
}

/** Scripts that write few vowels, or write them as marks, have shorter words. */
const isShortWord = (text: string): boolean =>
  text.length < (text.charCodeAt(0) < FIRST_MARKED ? SHORT : SHORT - 1)
const FIRST_MARKED = 0x590

/** Returns a function that makes the test whether a word is another form of one. A page is folded, so its words have no accents. */
function formTest(languages: ReadonlySet<string>) {
  const stemsIn = (word: string) => [...languages].flatMap((language) => stemsOf(word, language))
  return (word: string, own: readonly string[] = []) => {
    const stems = new Set([...own, ...stemsIn(word)])
    // Pages have the same words again and again.
    const known = new Map<string, boolean>()
    return (folded: string) => {
      const before = known.get(folded)
      if (before !== undefined) return before
      const isForm = languages
        .values()
        .some((language) => stemsOf(folded, language).some((one) => stems.has(one)))
      known.set(folded, isForm)
      return isForm
    }
  }
}

function scansOf(forms: readonly string[]): Needle['scans'] {
  const scans: Needle['scans'] = []
  for (const text of forms.toSorted((a, b) => a.length - b.length)) {
    const form = forms.indexOf(text)
    const known = scans.find((one) => text.startsWith(one.text))
    if (known) known.forms.push(form)
    else scans.push({ text, forms: [form] })
  }
  for (const { forms: own } of scans) own.sort((a, b) => a - b)
  return scans
}

/** Returns what a form at a place is worth: as a word, as another form of it, or as a part of another word. */
export function worthAt(text: string, at: number, form: NeedleForm): number {
  const end = at + form.text.length
  const { isFormOf } = form
  if (isFormOf === undefined || form.isShort) return form.worth
  let first = at
  if (isLetterAt(text, at - 1)) {
    // Only these scripts write an article and prepositions as a part of the next word.
    if (!isPrefixed(text.charCodeAt(at))) return Math.min(form.worth, WITHIN_WORTH)
    while (isLetterAt(text, first - 1) && first > at - LONGEST_PREFIX) first--
  } else if (!isLetterAt(text, end)) return form.worth
  let last = end
  while (isLetterAt(text, last) && last < at + LONGEST_WORD) last++
  const other = first < at ? WITHIN_WORTH : BEGINNING_WORTH
  return Math.min(form.worth, isFormOf(text.slice(first, last)) ? OTHER_FORM_WORTH : other)
}

/** Letters of Hebrew and Arabic. */
const isPrefixed = (unit: number): boolean => unit >= FIRST_MARKED && unit <= 0x6ff
const LONGEST_PREFIX = 5

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u
/** Whether each UTF-16 unit is a letter, a mark of one, or a number: 0 if not known yet, 1 for no, 2 for yes. */
const LETTERS = new Uint8Array(0x1_00_00)

export function isLetterAt(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return false
  const unit = text.charCodeAt(at)
  if (LETTERS[unit] === 0) LETTERS[unit] = WORD_CHARACTER.test(String.fromCharCode(unit)) ? 2 : 1
  return LETTERS[unit] === 2
}

/**
 * The stems of a word, so that `installing` finds `installation`. A stem need not be a word, and need only be the same for
 * the forms of a word. The script of a word decides where it has one language; among the languages of a script, that of
 * the page decides, and the languages of all pages that are searched decide for a query.
 */
import { arabicStems, ENDINGS, hebrewStems } from './affixes.ts'
import { porter } from './english.ts'
import { fold } from './fold.ts'
import { snowball } from './snowball.ts'

/** The language of a page for which no other is known. */
export const DEFAULT_LANGUAGE = 'en'

const SHORTEST = 4
/** In these scripts, most words have fewer letters, because vowels are marks or are not written. */
const SHORTEST_OF_MARKED = 3

/** The scripts that are written in one language here, each with its code. */
const LANGUAGE_OF_SCRIPT: readonly (readonly [RegExp, string])[] = [
  [/^\p{Script=Arabic}/u, 'ar'],
  [/^\p{Script=Hebrew}/u, 'he'],
  [/^\p{Script=Greek}/u, 'el'],
  [/^\p{Script=Devanagari}/u, 'hi'],
  [/^\p{Script=Tamil}/u, 'ta'],
  [/^\p{Script=Armenian}/u, 'hy'],
]
/** Latin letters, and what begins with a digit or a sign. */
const LATIN = /^[\0-\u02af\u1e00-\u1eff]/
const LATIN_LANGUAGES = new Set(
  'cs da de es et fi fr hr hu id it lt lv ms nl no pl pt ro sk sl sv tr'.split(' '),
)
const CYRILLIC = /^\p{Script=Cyrillic}/u
const CYRILLIC_LANGUAGES = new Set(['bg', 'ru', 'uk'])
/** What the algorithms miss: the plural of -ão, and the verbs beside nouns of Latin origin (installieren, Installation). */
const REGULAR: ReadonlyMap<string, (word: string) => string> = new Map([
  ['pt', (word) => word.replace(/(?<=.{3})(?:ões|ãos|ães)$/, 'ão').replace(/(?<=.{3}[^aç])ão$/, 'o')],
  ['de', (word) => word.replace(/(?<=.{4})(?:ationen|ation|ierungen|ierung|ieren|iert|iere)$/, '')],
  ['nl', (word) => word.replace(/(?<=.{4})(?:aties|atie|eringen|ering|eren|eert|eer)$/, '')],
])
/** Dutch doubles a consonant before an ending: map, mappen. */
const DOUBLED = /([bdfgklmnprst])\1$/
const ENGLISH = /^[a-z]+$/

/** The language whose stems a word has in a page of some language; undefined if its script has none. */
function stemLanguage(word: string, language: string): string | undefined {
  if (LATIN.test(word)) return LATIN_LANGUAGES.has(language) ? language : DEFAULT_LANGUAGE
  if (CYRILLIC.test(word)) return CYRILLIC_LANGUAGES.has(language) ? language : 'ru'
  return LANGUAGE_OF_SCRIPT.find(([script]) => script.test(word))?.[1]
}

/**
 * The stems of a word, folded; the folded word itself if it has no other.
 * @param word in lower case, with its accents
 * @param language that of the page
 */
export function stemsOf(word: string, language: string): string[] {
  const own = stemLanguage(word, language)
  const folded = fold(word)
  if (own === 'ar' || own === 'he') {
    if (folded.length < SHORTEST_OF_MARKED) return [folded]
    return own === 'ar' ? arabicStems(folded) : hebrewStems(folded)
  }
  const least = own === 'hi' ? SHORTEST_OF_MARKED : SHORTEST
  if (own === undefined || folded.length < least) return [folded]
  if (own === DEFAULT_LANGUAGE) return [ENGLISH.test(folded) ? porter(folded) : folded]
  const byEndings = ENDINGS.get(own)
  if (byEndings) return [byEndings(folded)]
  const algorithm = snowball(own)
  if (!algorithm) return [folded]
  const regular = REGULAR.get(own)?.(word) ?? word
  const stem = fold(algorithm(regular))
  return [(own === 'nl' ? stem.replace(DOUBLED, '$1') : stem) || folded]
}

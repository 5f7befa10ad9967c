import { acceptedLanguages } from '../../../core/web/accepted.ts'
import { ARABIC } from './ar.ts'
import { GERMAN } from './de.ts'
import { ENGLISH } from './en.ts'
import { SPANISH } from './es.ts'
import { FRENCH } from './fr.ts'
import { HEBREW } from './he.ts'
import { JAPANESE } from './ja.ts'
import { DUTCH } from './nl.ts'
import { NORWEGIAN } from './no.ts'
import { PORTUGUESE_BRAZIL } from './pt-br.ts'
import { RUSSIAN } from './ru.ts'
import { CHINESE } from './zh.ts'
import type { Words } from './words.ts'

/** By language, in lower case. */
const LANGUAGES: Record<string, Words> = {
  en: ENGLISH,
  fr: FRENCH,
  es: SPANISH,
  zh: CHINESE,
  ja: JAPANESE,
  de: GERMAN,
  nl: DUTCH,
  no: NORWEGIAN,
  'pt-br': PORTUGUESE_BRAZIL,
  ru: RUSSIAN,
  ar: ARABIC,
  he: HEBREW,
  nb: NORWEGIAN,
  nn: NORWEGIAN,
  pt: PORTUGUESE_BRAZIL,
}

/** The text of the interface in a language (BCP 47); English if no table has it. */
export function wordsOf(language: string): Words {
  const tag = language.toLowerCase()
  const base = tag.split('-')[0]!
  if (Object.hasOwn(LANGUAGES, tag)) return LANGUAGES[tag]!
  return Object.hasOwn(LANGUAGES, base) ? LANGUAGES[base]! : ENGLISH
}

/** The language of `wordsOf`, as tables of words name it. */
export function wordsLanguage(language: string): string {
  const words = wordsOf(language)
  return Object.entries(LANGUAGES).find(([, one]) => one === words)?.[0] ?? 'en'
}

/** Whether the interface has text in a language. */
export function hasWords(language: string): boolean {
  return wordsOf(language) !== ENGLISH || /^en(?:-|$)/i.test(language)
}

/** The language of the interface that a reader prefers, by the `Accept-Language` of their browser. */
export function acceptedLanguage(header: string | undefined): string {
  const tag = acceptedLanguages(header).find(hasWords) ?? 'en'
  return Object.hasOwn(LANGUAGES, tag) ? tag : tag.split('-')[0]!
}

/** The languages that are written from right to left if their tag names no script, and such scripts (Unicode CLDR). */
const RIGHT_TO_LEFT = new Set('ar arc ckb dv fa he iw ks lrc mzn pnb ps sd syr ug ur yi'.split(' '))
const RIGHT_TO_LEFT_SCRIPTS = new Set('adlm arab hebr mand nkoo rohg samr syrc thaa'.split(' '))

/** The direction of a language's script. */
export function directionOf(language: string): 'rtl' | 'ltr' {
  const [, base = '', script] = /^([a-z]{2,3})(?:-([a-z]{4})(?=-|$))?/i.exec(language) ?? []
  if (script !== undefined) return RIGHT_TO_LEFT_SCRIPTS.has(script.toLowerCase()) ? 'rtl' : 'ltr'
  return RIGHT_TO_LEFT.has(base.toLowerCase()) ? 'rtl' : 'ltr'
}

/** The words of the interface, by their ids. `npm run words` checks the catalogues, and writes the types of the values. */
import formatMessage, { type CompiledMessage, type FormatValues } from 'icu-minify/format'
import { isRTL } from 'react-aria-components'
import { languageCookie } from '../../../core/languages/page-languages.ts'
import { type Catalogue, readTranslation, type Translation } from './catalogues.ts'
import english from './catalogues/en.json' with { type: 'json' }
import type { MessageId, PlainId, ValuesOf } from './message-ids.ts'
import { ICU_FORMATTING } from '../../../core/languages/icu.ts'

const ENGLISH: Catalogue = english

/** The language of the interface, such as `zh-CN`: that of the account, or else of the browser, if there are words in it. */
export let language = 'en'
let translated: Catalogue | undefined
/** How often a language was chosen. */
let turns = 0

/** Chooses the language of the interface for this page load, before anything is shown. */
export async function beginLanguage(): Promise<void> {
  useTranslation(await readTranslation())
}

/**
 * Keeps the language of the account for the next page load and for the sign-in page. An account without one follows the
 * choice in this browser. @returns the language of the interface from now on
 */
export async function keepLanguage(ofAccount: string | undefined): Promise<string> {
  if (ofAccount !== undefined) document.cookie = languageCookie(ofAccount)
  const turn = ++turns
  const translation = await readTranslation(ofAccount)
  // Of two languages that are chosen at once, the later one counts, whichever is loaded first.
  if (turn === turns) useTranslation(translation)
  return language
}

/** Lets the browser decide again, once the account has no language any more. */
export function forgetLanguage(): void {
  document.cookie = languageCookie('', 0)
}

/** Sets the texts, and the language and the direction of the document. */
function useTranslation(translation: Translation): void {
  language = translation.language
  translated = translation.texts
  document.documentElement.lang = language
  document.documentElement.dir = isRTL(language) ? 'rtl' : 'ltr'
}

/** An arrow that points to the start or the end of a line. */
export function arrowTo(side: 'start' | 'end'): string {
  return (side === 'end') === isRTL(language) ? '←' : '→'
}

/** A text in the language of the interface, or in English if the catalogue of the language lacks it. */
export function t<I extends MessageId>(id: I | { verbatim: string }, ...[values]: ValuesOf<I>): string {
  if (typeof id !== 'string') return id.verbatim
  const own = translated?.[id]
  return own === undefined ? written(ENGLISH[id] ?? id, 'en', values) : written(own, language, values)
}

/** The text of a refusal of the API in the language of the interface; undefined if its catalogue lacks it. */
export function refusalIn(reason: string, values: FormatValues<string>): string | undefined {
  const id = `refusal.${reason}`
  const own = translated && Object.hasOwn(translated, id) ? translated[id] : undefined
  if (own !== undefined) return written(own, language, values)
  return isMessage(id) ? written(ENGLISH[id] ?? id, 'en', values) : undefined
}

function written(message: CompiledMessage, locale: string, values: FormatValues<string> | undefined): string {
  const text = formatMessage(message, locale, values, ICU_FORMATTING)
  return typeof text === 'string' ? text : text.join('')
}

/** Whether a text has this id. */
export const isMessage = (id: string): id is MessageId => Object.hasOwn(ENGLISH, id)

/** The text in English and in the language of the interface: people type either to find what it names. */
export const spellingsOf = (id: PlainId): string[] => [written(ENGLISH[id] ?? id, 'en', undefined), t(id)]

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** How long ago something was: "3 hours ago". */
export function ago(time: string): string {
  const seconds = (new Date(time).getTime() - Date.now()) / 1000
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  return unit ? format.format(Math.round(seconds / unit[1]), unit[0]) : format.format(0, 'minute')
}

/** The words of the interface. The English text is the key of the others. */
import { isRTL } from 'react-aria-components'
import { LANGUAGE_COOKIE, languageCookie } from '../../../core/page-languages.ts'
import { CHINESE } from './zh/all.ts'

const CATALOGUES: Record<string, Readonly<Record<string, string>>> = { zh: CHINESE }

/** The language of the interface, such as `zh-CN`: that of the account, or else of the browser, if there are words in it. */
export let language = spokenOf(keptLanguage())

function keptLanguage(): string | undefined {
  return globalThis.document?.cookie
    .split('; ')
    .find((one) => one.startsWith(`${LANGUAGE_COOKIE}=`))
    ?.slice(LANGUAGE_COOKIE.length + 1)
}

function spokenOf(name: string | undefined): string {
  const wanted = name ?? navigator.language
  const [spoken = ''] = wanted.split('-')
  return spoken in CATALOGUES || spoken === 'en' ? wanted : 'en'
}

/**
 * Keeps the language of the account for the next page load and for the sign-in page. An account without one follows the
 * choice in this browser. @returns the language of the interface from now on
 */
export function keepLanguage(ofAccount: string | undefined): string {
  if (ofAccount !== undefined) document.cookie = languageCookie(ofAccount)
  language = spokenOf(ofAccount ?? keptLanguage())
  showLanguage()
  return language
}

/** Lets the browser decide again, once the account has no language any more. */
export function forgetLanguage(): void {
  document.cookie = languageCookie('', 0)
}

/** Tells the browser the language of the interface, and whether it is written from right to left. */
export function showLanguage(): void {
  document.documentElement.lang = language
  document.documentElement.dir = isRTL(language) ? 'rtl' : 'ltr'
}

/** An arrow that points to the start or the end of a line. */
export function arrowTo(side: 'start' | 'end'): string {
  return (side === 'end') === isRTL(language) ? '←' : '→'
}

/** A text in the language of the interface. `{name}` stands for a value. */
export function t(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  const known = CATALOGUES[language.split('-')[0]!]?.[text] ?? text
  return known.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

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

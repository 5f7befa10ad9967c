/** The languages that a space, a site or a person can have. */
import { type Language, LANGUAGES } from '../../../core/languages/content-languages.ts'
import { language } from './words.ts'

export type { Language } from '../../../core/languages/content-languages.ts'

/** The codes of the languages of content: the routes take them from the same list. */
export const languageCodes = LANGUAGES as Language[]

/** Their names in the language of the interface, as the options of a field. */
export function languageOptions(): [code: Language, name: string][] {
  const names = new Intl.DisplayNames([language], { type: 'language' })
  return languageCodes
    .map((code): [Language, string] => [code, names.of(code) ?? code])
    .toSorted((a, b) => a[1].localeCompare(b[1], language))
}

/** The languages that a space, a site or a person can have. */
import { LANGUAGES } from '../../../core/languages.ts'
import { language } from './words.ts'

/** Their names in the language of the interface, as the options of a field. */
export function languageOptions(): [code: string, name: string][] {
  const names = new Intl.DisplayNames([language], { type: 'language' })
  return LANGUAGES.map((code): [string, string] => [code, names.of(code) ?? code]).toSorted((a, b) =>
    a[1].localeCompare(b[1], language),
  )
}

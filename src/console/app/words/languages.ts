/** The languages that a space, a site or a person can have. */
import { type Language, LANGUAGES, OTHER_LANGUAGE_TAGS } from '../../../core/languages/content-languages.ts'
import { language } from './words.ts'

export type { Language } from '../../../core/languages/content-languages.ts'

/** The codes of the languages of content: the routes take them from the same list. */
export const languageCodes = LANGUAGES as Language[]

/** Whether a language of a space has a code; otherwise it is a tag. */
export const isLanguageCode = (written: string): written is Language =>
  (languageCodes as string[]).includes(written)

/** The name of a language in that of the interface; the tag if it has none. */
export const languageName = (tag: string): string =>
  new Intl.DisplayNames([language], { type: 'language', fallback: 'code' }).of(tag) ?? tag

/**
 * Codes and tags of languages with their names in the language of the interface, as the options of a field.
 * @param current the language that the field has, which is always one of them
 */
export function languageOptions(current = ''): [code: string, name: string][] {
  const names = new Intl.DisplayNames([language], { type: 'language' })
  const tags = new Set([...languageCodes, ...OTHER_LANGUAGE_TAGS, ...(current === '' ? [] : [current])])
  return [...tags]
    .map((tag): [string, string] => [tag, names.of(tag) ?? tag])
    .toSorted((a, b) => a[1].localeCompare(b[1], language))
}

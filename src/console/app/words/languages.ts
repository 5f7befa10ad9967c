/** The languages that a space, a site or a person can have. */
import { type Language, LANGUAGES, OTHER_LANGUAGE_TAGS } from '../../../core/languages/content-languages.ts'
import { language } from './words.ts'

export type { Language } from '../../../core/languages/content-languages.ts'

/** The codes of the languages of content: the routes take them from the same list. */
const languageCodes = LANGUAGES as Language[]

/** Whether a language of a space has a code; otherwise it is a tag. */
export const isLanguageCode = (written: string): written is Language =>
  (languageCodes as string[]).includes(written)

/** The name of a language in that of the interface; the tag if it has none. */
export const languageName = (tag: string): string =>
  new Intl.DisplayNames([language], { type: 'language', fallback: 'code' }).of(tag) ?? tag

/** The name of a language in itself, such as “Deutsch”; the tag if it has none. */
function nameInItself(tag: string): string {
  const name = new Intl.DisplayNames([tag, language], { type: 'language', fallback: 'code' }).of(tag) ?? tag
  return name === '' ? tag : name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

/** A language that people can choose. */
export interface LanguageOption {
  tag: string
  /** In the language itself. */
  name: string
  /** In the language of the interface. */
  translated: string
}

/** Whether a person prefers a language, by the settings of the browser. A preference for German is one for Austria’s, too. */
const languageRank = (tag: string): number => {
  const at = navigator.languages.findIndex((one) => one === tag || one.split('-')[0] === tag.split('-')[0])
  return at < 0 ? navigator.languages.length : at
}

/**
 * The languages that people can choose: first those of the browser, then the others by their own names.
 * @param current the language that the field has, which is always one of them
 */
export function languageOptions(current = ''): LanguageOption[] {
  const tags = new Set([...languageCodes, ...OTHER_LANGUAGE_TAGS, ...(current === '' ? [] : [current])])
  return [...tags]
    .map((tag) => ({ tag, name: nameInItself(tag), translated: languageName(tag), rank: languageRank(tag) }))
    .toSorted((a, b) => a.rank - b.rank || a.name.localeCompare(b.name, language))
}

/** Whether what somebody types means a language: a part of one of its names, or the beginning of its tag. */
export function meansLanguage({ tag, name, translated }: LanguageOption, typed: string): boolean {
  const text = plain(typed)
  return [name, translated].some((one) => plain(one).includes(text)) || plain(tag).startsWith(text)
}

/** A text without accents and case, so that “francais” finds “Français”. */
const plain = (text: string): string =>
  text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase(language)

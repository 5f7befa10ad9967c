/** The languages of the server's own pages, with their names in themselves. The console has a catalogue for each. */
export const PAGE_LANGUAGES = { en: 'English', zh: '中文' } as const

/** The choice of a language in a browser. The console and the server's own pages read and write it, so scripts can. */
export const LANGUAGE_COOKIE = '__Host-lectern-language'

const YEAR_S = 365 * 24 * 60 * 60

/**
 * A cookie that keeps the choice of a language, for `Set-Cookie` or `document.cookie`. It is no secret and gives no
 * access.
 * @param language a tag such as `zh-CN`
 * @param seconds how long it is kept; 0 removes it
 */
export function languageCookie(language: string, seconds = YEAR_S): string {
  return `${LANGUAGE_COOKIE}=${language}; Path=/; Secure; SameSite=Lax; Max-Age=${seconds}`
}

/** A language of the server's own pages. */
export type PageLanguage = keyof typeof PAGE_LANGUAGES

/** The languages as the options of a field. */
export function pageLanguageOptions(): [code: PageLanguage, name: string][] {
  return Object.entries(PAGE_LANGUAGES) as [PageLanguage, string][]
}

/** The language of the pages for a tag such as `zh-CN`; undefined if they have no texts in it. */
export function pageLanguageFor(tag: string): PageLanguage | undefined {
  const [language = ''] = tag.toLowerCase().split('-')
  return Object.hasOwn(PAGE_LANGUAGES, language) ? (language as PageLanguage) : undefined
}

/** The language of an e-mail or a page for a choice; English if there is none, or no texts in it. */
export function pageLanguageOrEnglish(tag: string | null | undefined): PageLanguage {
  return pageLanguageFor(tag ?? 'en') ?? 'en'
}

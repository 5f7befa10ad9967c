/** The texts of the interface in each language. English is part of the program; the browser loads another one if it is used. */
import type { CompiledMessage } from 'icu-minify/format'
import {
  LANGUAGE_COOKIE,
  type PageLanguage,
  pageLanguageFor,
} from '../../../core/languages/page-languages.ts'

/** The texts of a language by their ids. The build compiles them from ICU messages. */
export type Catalogue = Readonly<Record<string, CompiledMessage>>

/** The texts of a language, and its tag, such as `zh-CN`. */
export interface Translation {
  language: string
  /** Missing for English. */
  texts?: Catalogue
}

const TRANSLATIONS: Readonly<Record<Exclude<PageLanguage, 'en'>, () => Promise<{ default: Catalogue }>>> = {
  zh: () => import('./catalogues/zh.json', { with: { type: 'json' } }),
}

/**
 * Reads the texts of the language of the account, or else of that chosen in this browser, or else of the browser. It is
 * English if there are no texts in that language, or if they cannot be loaded.
 */
export async function readTranslation(ofAccount?: string): Promise<Translation> {
  const language = ofAccount ?? keptLanguage() ?? navigator.language
  const known = pageLanguageFor(language)
  if (known === undefined) return { language: 'en' }
  if (known === 'en') return { language }
  const texts = await TRANSLATIONS[known]().catch(() => undefined)
  return texts ? { language, texts: texts.default } : { language: 'en' }
}

function keptLanguage(): string | undefined {
  return document.cookie
    .split('; ')
    .find((one) => one.startsWith(`${LANGUAGE_COOKIE}=`))
    ?.slice(LANGUAGE_COOKIE.length + 1)
}

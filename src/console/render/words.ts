import { type Html, join, type Renderable } from '../../core/text/html.ts'
import type { PageLanguage } from '../../core/languages/page-languages.ts'
import { fillIn, partsOfText, type TextValues } from '../../core/languages/wording.ts'
import { PAGES_CHINESE } from './words-zh.ts'
import type { Reasoned } from '../../core/languages/reasoned.ts'
import { messageIn } from './refusals.ts'

/** An English text of these pages. Each has a Chinese one, or it does not compile. */
export type PagePhrase = keyof typeof PAGES_CHINESE

/** The words of the pages in a language. */
export interface Wording {
  language: PageLanguage
  /** A text, with values for its places: `{name}`. */
  t(text: PagePhrase, values?: TextValues): string
  /** A text with markup for its places. */
  rich(text: PagePhrase, values: Readonly<Record<string, Renderable>>): Html
  /** A message of the API by its reason. One that has no translation stays English. */
  message(why: Reasoned): string
  /** The form of a date and time for people, in UTC. */
  time: Intl.DateTimeFormat
}

function wordingIn(language: PageLanguage): Wording {
  const known = (text: PagePhrase): string => (language === 'zh' ? PAGES_CHINESE[text] : text)
  return {
    language,
    t: (text, values = {}) => fillIn(known(text), values),
    rich: (text, values) =>
      join(partsOfText(known(text)).map((part, index) => (index % 2 === 0 ? part : values[part]))),
    message: (why) => messageIn(language, why),
    time: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
  }
}

/** The words of the pages in each language. */
export const WORDINGS: Readonly<Record<PageLanguage, Wording>> = {
  en: wordingIn('en'),
  zh: wordingIn('zh'),
}

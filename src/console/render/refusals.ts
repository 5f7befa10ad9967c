/** The refusals of the API in the languages of the server's pages, from the catalogues of the console. */
import { readFileSync } from 'node:fs'
import { ICU_FORMATTING } from '../../core/languages/icu.ts'
import { icuCompile, icuFormat } from '../../core/runtime/libraries.ts'
import type { PageLanguage } from '../../core/languages/page-languages.ts'
import { type Reasoned, withFaultText } from '../../core/languages/reasoned.ts'
import type { TextValues } from '../../core/languages/wording.ts'

type Messages = Readonly<Record<string, string>>

const catalogues = new Map<string, Messages>()

/** The ICU messages of a language. They are read when the first page refuses something. */
function messagesIn(language: string): Messages {
  const known = catalogues.get(language)
  if (known) return known
  const file = new URL(`../app/words/catalogues/${language}.json`, import.meta.url)
  const messages = JSON.parse(readFileSync(file, 'utf8')) as Messages
  catalogues.set(language, messages)
  return messages
}

/** A message in a language. It stays English if it has no reason, or its reason has no text in the language. */
export function messageIn(language: PageLanguage, { reason, parameters = {}, message }: Reasoned): string {
  const values = withFaultText(parameters, (inner, given) => textIn(language, inner, given))
  return textIn(language, reason, values) ?? message
}

/** The text of a reason in a language, undefined if it has none. */
function textIn(language: PageLanguage, reason: string | undefined, parameters: TextValues) {
  const translated = language === 'en' ? undefined : messagesIn(language)[`refusal.${reason}`]
  if (translated === undefined) return undefined
  const text = icuFormat().default(icuCompile().default(translated), language, parameters, ICU_FORMATTING)
  return typeof text === 'string' ? text : text.join('')
}

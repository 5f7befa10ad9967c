import { roleName } from './role-names.ts'
import { readRefusal, type RefusalWords } from './refusal-text.ts'
import { REFUSALS_CHINESE } from './zh/refusals.ts'
import { language, t } from './words.ts'

const WORDS: Record<string, RefusalWords> = { zh: { catalogue: REFUSALS_CHINESE, wordOf } }

/** A message of the API, which is English, in the language of the interface if it is known there. */
export function forPeople(message: string): string {
  return readRefusal(message, WORDS[language.split('-')[0]!])
}

function wordOf(kind: string, value: string): string {
  if (kind === 'role') return roleName(value, value)
  return kind === 'field' ? t(`${value.charAt(0).toUpperCase()}${value.slice(1)}`) : value
}

import { fieldNameAt } from './field-names.ts'
import { roleName } from './role-names.ts'
import { readRefusal } from './refusal-text.ts'
import { REFUSALS_CHINESE } from './zh/refusals.ts'
import { language } from './words.ts'

const CATALOGUES: Record<string, Readonly<Record<string, string>>> = { zh: REFUSALS_CHINESE }

/** A message of the API, which is English, in the language of the interface if it is known there. */
export function forPeople(message: string): string {
  return readRefusal(message, { catalogue: CATALOGUES[language.split('-')[0]!] ?? {}, fieldNameAt, wordOf })
}

function wordOf(kind: string, value: string): string {
  return kind === 'role' ? roleName(value, value) : value
}

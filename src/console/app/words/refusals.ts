import { fieldNameAt } from './field-names.ts'
import { readRefusal, type Refused } from './refusal-text.ts'
import { roleName } from './role-names.ts'
import { refusalIn } from './words.ts'

/** A message of the API in the language of the interface; in English if it has no text there. */
export function forPeople(refused: Refused): string {
  return readRefusal(refused, { translate, fieldNameAt })
}

function translate(reason: string, parameters: NonNullable<Refused['parameters']>): string | undefined {
  const { role } = parameters
  const values =
    role === undefined ? parameters : { ...parameters, role: roleName(String(role), String(role)) }
  return refusalIn(reason, values)
}

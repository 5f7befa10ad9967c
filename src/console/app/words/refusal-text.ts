import { translateMessage } from '../../../core/wording.ts'

/** The words for messages of the API in another language. */
export interface RefusalWords {
  catalogue: Readonly<Record<string, string>>
  /** The word for a value of a message: the name of a role or of a field. Others stay. */
  wordOf(kind: string, value: string): string
}

/** A fault of one value of a request. */
const FAULT = /^(?:body|query|params)((?:\.\w+)+) (.+)$/s

/** A message of the API as people read it: in their language, if it is known there, and with the names of fields. */
export function readRefusal(message: string, words: RefusalWords | undefined): string {
  if (!words) return withFieldNames(message)
  return (
    translateMessage(message, words.catalogue, words.wordOf) ??
    translatedFaults(message, words) ??
    withFieldNames(message)
  )
}

/** A message that joins faults, as `invalidFields` of the server makes it; undefined unless all of them are known. */
function translatedFaults(message: string, words: RefusalWords): string | undefined {
  const faults = message.split('; ').map((one) => {
    const [, path = '', fault = ''] = FAULT.exec(one) ?? []
    const known = translateMessage(fault, words.catalogue, words.wordOf)
    return known && `“${words.wordOf('field', nameOf(path))}”${known}`
  })
  return faults.includes(undefined) ? undefined : faults.join('；')
}

function withFieldNames(message: string): string {
  return message.replaceAll(
    /\b(?:body|query|params)((?:\.\w+)+)/g,
    (_all, path: string) => `“${nameOf(path)}”`,
  )
}

/** The fields that the console calls differently from the API. */
const LABELS: Readonly<Record<string, string>> = {
  basename: 'Name in the address',
  displayName: 'Name',
  entityID: 'Identifier of the provider (entity ID)',
  ssoURL: 'Sign-on address',
}

/** The API names a field by its place in the request, such as `body.emails.0`. People know it by its label. */
function nameOf(path: string): string {
  const name = path.split('.').findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? ''
  return LABELS[name] ?? name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}

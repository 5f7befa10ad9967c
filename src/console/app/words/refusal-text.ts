import { translateMessage } from '../../../core/languages/wording.ts'

/** The words for messages of the API in another language. */
export interface RefusalWords {
  catalogue: Readonly<Record<string, string>>
  /** The name of the field at a place in a request, such as `.emails.0`. */
  fieldNameAt(path: string): string
  /** The word for a value of a message: the name of a role. Others stay. */
  wordOf(kind: string, value: string): string
}

/** A fault of one value of a request. */
const FAULT = /^(?:body|query|params)((?:\.\w+)+) (.+)$/s

/** A message of the API as people read it: in their language, if it is known there, and with the names of fields. */
export function readRefusal(message: string, words: RefusalWords): string {
  return (
    translateMessage(message, words.catalogue, words.wordOf) ??
    translatedFaults(message, words) ??
    withFieldNames(message, words)
  )
}

/** A message that joins faults, as `invalidFields` of the server makes it; undefined unless all of them are known. */
function translatedFaults(message: string, words: RefusalWords): string | undefined {
  const faults = message.split('; ').map((one) => {
    const [, path = '', fault = ''] = FAULT.exec(one) ?? []
    const known = translateMessage(fault, words.catalogue, words.wordOf)
    return known && `“${words.fieldNameAt(path)}”${known}`
  })
  return faults.includes(undefined) ? undefined : faults.join('；')
}

function withFieldNames(message: string, { fieldNameAt }: RefusalWords): string {
  return message.replaceAll(
    /\b(?:body|query|params)((?:\.\w+)+)/g,
    (_all, path: string) => `“${fieldNameAt(path)}”`,
  )
}

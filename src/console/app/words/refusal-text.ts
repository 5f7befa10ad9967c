import { withFaultText } from '../../../core/languages/reasoned.ts'

/** A message of the API: English, with the reason and the parameters by which it is translated. */
export interface Refused {
  message: string
  reason?: string | undefined
  parameters?: Readonly<Record<string, string | number>> | undefined
  /** The faults of single values of a request. */
  details?: readonly FaultOfValue[] | undefined
}

/** Why one value of a request is refused. */
interface FaultOfValue extends Refused {
  path: string
}

/** The words for messages of the API in the language of the interface. */
export interface RefusalWords {
  /** The text of a reason; undefined if there is none in the language. */
  translate(reason: string, parameters: Readonly<Record<string, string | number>>): string | undefined
  /** The name of the field at a place in a request, such as `body.emails.0`. */
  fieldNameAt(path: string): string
}

/** A message of the API as people read it: in their language, if it is known there, and with the names of fields. */
export function readRefusal(refused: Refused, words: RefusalWords): string {
  return translated(refused, words) ?? translatedFaults(refused, words) ?? withFieldNames(refused, words)
}

function translated(
  { reason, parameters = {}, details = [] }: Refused,
  words: RefusalWords,
): string | undefined {
  // The faults of the values name what is invalid.
  if (reason === undefined || (reason === 'invalid-values' && details.length > 0)) return undefined
  if (parameters.faults !== undefined) {
    const faults = details.map((fault) => translated(fault, words) ?? fault.message)
    return words.translate(reason, { ...parameters, faults: faults.join('；') })
  }
  return words.translate(
    reason,
    withFaultText(parameters, (inner, values) => words.translate(inner, values)),
  )
}

/** The faults of the values, if all of them are known. */
function translatedFaults({ details = [] }: Refused, words: RefusalWords): string | undefined {
  const faults = details.map((fault) => {
    const known = translated(fault, words)
    return known && `“${words.fieldNameAt(fault.path)}”${known}`
  })
  return faults.length === 0 || faults.includes(undefined) ? undefined : faults.join('；')
}

function withFieldNames({ message }: Refused, { fieldNameAt }: RefusalWords): string {
  return message.replaceAll(
    /\b(?:body|query|params)((?:\.\w+)+)/g,
    (_all, path: string) => `“${fieldNameAt(path)}”`,
  )
}

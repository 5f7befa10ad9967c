/** The words of the console in tests. */
import type { Label } from '../../src/console/app/words/message-ids.ts'
import { readMessages } from '../../tools/words/print.ts'

const english = readMessages('en')

/** The English text of a label. */
export const inEnglish = (label: Label): string =>
  typeof label === 'string' ? english[label]! : label.verbatim

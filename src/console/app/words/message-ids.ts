/** The types of texts of the interface, from the English catalogue. */
import type english from './catalogues/en.json'
import type { MessageValues } from './message-values.ts'

/** The id of a text of the interface. */
export type MessageId = keyof typeof english

/** The id of a text that has no values. */
export type PlainId = Exclude<MessageId, keyof MessageValues>

/** A text of the interface, or one that is shown as it is, such as a name that a person has given. */
export type Label = PlainId | { verbatim: string }

/** The values that `t` needs for a text. */
export type ValuesOf<I> = I extends keyof MessageValues ? [values: MessageValues[I]] : []

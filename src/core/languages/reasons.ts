/** The reasons of messages, by which clients translate them: `because('suggestion-applied')` makes a message of its reason. */
import { BATCH_REASONS } from './batch-reasons.ts'
import { DOCUMENT_REASONS } from './document-reasons.ts'
import { PEOPLE_REASONS } from './people-reasons.ts'
import { REQUEST_REASONS } from './request-reasons.ts'
import { SITE_REASONS } from './site-reasons.ts'
import { SPACE_REASONS } from './space-reasons.ts'
import { VALUE_REASONS } from './value-reasons.ts'
import { fillIn, type TextValues } from './wording.ts'

/**
 * The English message of each reason. `{name}` stands for a parameter, and `{count, plural, one {# page} other {# pages}}`
 * for a number with its noun; other braces stay. A reason never changes its meaning, because clients compare it.
 */
export const REASONS = {
  ...REQUEST_REASONS,
  ...VALUE_REASONS,
  ...PEOPLE_REASONS,
  ...SPACE_REASONS,
  ...BATCH_REASONS,
  ...DOCUMENT_REASONS,
  ...SITE_REASONS,
} as const

/** The reason of a message, such as `suggestion-applied`. */
export type ReasonId = keyof typeof REASONS

/** A message in English, with its reason, and the values that the message contains. */
export interface Reasoned {
  message: string
  /** Missing if the message has no reason that stays the same, such as one of another program. */
  reason?: ReasonId | undefined
  parameters?: TextValues | undefined
}

/** The content of a placeholder of a text: its name, that of a plural, or something else in braces. */
type Placeholder<Inside extends string> = Inside extends `${infer Name}, plural, ${string}`
  ? { [N in Name]: number }
  : Inside extends `${string} ${string}` | ''
    ? unknown
    : { [N in Inside]: string | number }

type PlaceholdersOf<Text extends string> = Text extends `${string}{${infer Inside}}${infer Rest}`
  ? Placeholder<Inside> & PlaceholdersOf<Rest>
  : unknown

type Needed<Values> = unknown extends Values ? [] : [parameters: Values]

/** The parameters that the message of a reason needs, if any. */
export type ParametersOf<R extends ReasonId> = Needed<PlaceholdersOf<(typeof REASONS)[R]>>

/** The reasons whose messages need no parameters. */
export type PlainReason = { [R in ReasonId]: ParametersOf<R> extends [] ? R : never }[ReasonId]

/** Makes the message of a reason from its parameters. */
export function because<R extends ReasonId>(reason: R, ...[parameters]: ParametersOf<R>): Reasoned {
  const values = parameters as TextValues | undefined
  return { reason, message: fillIn(REASONS[reason], values ?? {}), ...(values && { parameters: values }) }
}

/** A message with or without a reason, as a reasoned one. */
export const reasoned = (why: Reasoned | string): Reasoned =>
  typeof why === 'string' ? { message: why } : why

/** The fields of a message that has a reason, for a response. */
export function reasonFields({ message, reason, parameters }: Reasoned) {
  return { message, ...(reason && { reason }), ...(parameters && { parameters }) }
}

/** An error with a reason. */
export class ReasonedError extends Error implements Reasoned {
  readonly reason: ReasonId | undefined
  readonly parameters: TextValues | undefined

  constructor(why: Reasoned | string) {
    const { message, reason, parameters } = reasoned(why)
    super(message)
    this.reason = reason
    this.parameters = parameters
  }
}

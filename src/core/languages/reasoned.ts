/** Messages with the reasons by which clients translate them. */
import { fillIn, type TextValues } from './wording.ts'

/** A message in English, with its reason, and the values that the message contains. */
export interface Reasoned {
  message: string
  /** Missing if the message has no reason that stays the same, such as one of another program. */
  reason?: string | undefined
  parameters?: TextValues | undefined
}

/** A message that has a reason. */
export interface WithReason extends Reasoned {
  reason: string
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
export type ParametersOf<Text extends string> = Needed<PlaceholdersOf<Text>>

/** The reasons of a table whose messages need no parameters. */
export type PlainReason<Table extends Readonly<Record<string, string>>> = {
  [R in keyof Table]: ParametersOf<Table[R]> extends [] ? R : never
}[keyof Table]

/**
 * Returns a function that makes the message of a reason of a table from its parameters. Programs in the browser load only the
 * tables that they need.
 */
export function becauseOf<const Table extends Readonly<Record<string, string>>>(table: Table) {
  return <R extends keyof Table & string>(reason: R, ...[parameters]: ParametersOf<Table[R]>): WithReason => {
    const values = parameters as TextValues | undefined
    return { reason, message: fillIn(table[reason]!, values ?? {}), ...(values && { parameters: values }) }
  }
}

/** A message with or without a reason, as a reasoned one. */
export const reasoned = (why: Reasoned | string): Reasoned =>
  typeof why === 'string' ? { message: why } : why

/**
 * The parameters of a message that contains another: `fault` is the other message, `faultReason` its reason, and its
 * parameters stand beside these. If the other message contains a third one, `faultReason` has both reasons, the outer one
 * first, with a space between them.
 */
export function faultParameters({ message, reason, parameters = {} }: Reasoned) {
  const { fault, faultReason, ...others } = parameters
  // A text without a reason within the other message would have the name that the other message has here.
  if (reason === undefined || (fault !== undefined && faultReason === undefined)) return { fault: message }
  const reasons = faultReason === undefined ? reason : `${reason} ${faultReason}`
  return { ...others, faultReason: reasons, fault: message }
}

/**
 * The parameters of a message, with the text of the message that it contains.
 * @param textOf the text of a reason, undefined if it has none
 */
export function withFaultText(
  parameters: TextValues,
  textOf: (reason: string, parameters: TextValues) => string | undefined,
): TextValues {
  const { faultReason, ...others } = parameters
  if (faultReason === undefined) return parameters
  let inner: string | undefined
  for (const reason of String(faultReason).split(' ').toReversed()) {
    const values: TextValues = inner === undefined ? others : { ...others, fault: inner }
    inner = textOf(reason, values)
    if (inner === undefined) return parameters
  }
  return inner === undefined ? parameters : { ...parameters, fault: inner }
}

/** The fields of a message that has a reason, for a response. */
export function reasonFields({ message, reason, parameters }: Reasoned) {
  return { message, ...(reason && { reason }), ...(parameters && { parameters }) }
}

/** An error with a reason. */
export class ReasonedError extends Error implements Reasoned {
  readonly reason: string | undefined
  readonly parameters: TextValues | undefined

  constructor(why: Reasoned | string, options?: ErrorOptions) {
    const { message, reason, parameters } = reasoned(why)
    super(message, options)
    this.reason = reason
    this.parameters = parameters
  }
}

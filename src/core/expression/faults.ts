/** Why an expression is refused or fails, with its place. */
import { EXPRESSION_REASONS } from '../languages/expression-reasons.ts'
import { becauseOf, faultParameters, type Reasoned, reasonFields } from '../languages/reasoned.ts'
import { Refused } from './values.ts'

const because = becauseOf(EXPRESSION_REASONS)

/** The messages of the parser that have reasons. */
const PARSER_REASONS: readonly [message: RegExp, why: (character: string) => Reasoned][] = [
  [/^Unexpected token$/, () => because('expression-unexpected')],
  [
    /^Unexpected character '(.+)'$/su,
    (character) => because('expression-unexpected-character', { character }),
  ],
  [/^Unterminated string constant$/, () => because('expression-text-open')],
  [/^Unterminated template$/, () => because('expression-template-open')],
  [/^Unterminated regular expression$/, () => because('expression-pattern-open')],
]

/** Why the parser refuses a text. */
export function syntaxFault(text: string, error: unknown): Reasoned {
  if (!(error instanceof SyntaxError) || !('pos' in error)) return thrownFault(error)
  const message = error.message.replace(/ \(\d+:\d+\)$/, '')
  const known = PARSER_REASONS.find(([pattern]) => pattern.test(message))
  const why = known ? known[1](known[0].exec(message)?.[1] ?? '') : { message }
  return atPlace(why, text, Number(error.pos))
}

/** The message of what was thrown. */
export function thrownFault(error: unknown): Reasoned {
  if (error instanceof Refused) return reasonFields(error)
  return { message: error instanceof Error ? error.message : String(error) }
}

/** A fault with its place in an expression, as an editor shows it: lines and columns start at 1. */
export function atPlace(fault: Reasoned, text: string, position: number): Reasoned {
  const lines = text.slice(0, position).split(/\r\n|[\n\r\u2028\u2029]/)
  const place = { column: (lines.at(-1)?.length ?? 0) + 1, ...faultParameters(fault) }
  return lines.length > 1
    ? because('expression-at-line', { line: lines.length, ...place })
    : because('expression-at-column', place)
}

import { Type } from 'typebox'
import { checkExpression, CONDITION_VARIABLES } from '../../core/expression/check.ts'
import { LONGEST_EXPRESSION } from '../../core/expression/expression.ts'
import { invalidField } from '../../http/errors.ts'
import { because } from '../../core/languages/reasons.ts'
import { faultParameters } from '../../core/languages/reasoned.ts'

/** A condition in a body: an expression that decides whether a visitor sees something. */
export const Condition = Type.String({
  minLength: 1,
  maxLength: LONGEST_EXPRESSION,
  description:
    'An expression over the claims of the visitor, such as `visitor.claims.isBetaUser == true`. If it is not true for a visitor, the visitor does not see this.',
})

/**
 * Checks that a condition can be evaluated, and reads only known variables. One of white space is always true.
 * @param path where the condition is in the request, such as `body.condition`
 * @throws 400 that names the column of the error
 */
export function checkCondition(path: string, text: string): void {
  if (text.trim() === '') return
  const parsed = checkExpression(text, CONDITION_VARIABLES)
  if (!parsed.ok) throw invalidField(path, because('condition-invalid', faultParameters(parsed.error)))
}

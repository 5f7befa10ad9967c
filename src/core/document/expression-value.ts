import { isConditionMet } from '../expression/expression.ts'

/** The class of the element of HTML that has an inline expression. */
const EXPRESSION_CLASS = 'expression'

/** Whether an element of HTML with a name and classes is an inline expression. */
export function isExpressionElement(name: string, classes: readonly unknown[]): boolean {
  return name === 'code' && classes.includes(EXPRESSION_CLASS)
}

/** The text that readers see for the value of an inline expression; undefined if the value is no text. */
export function shownValue(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

/** The values of expressions for a reader, such as a `RenderContext`. */
export interface ReaderValues {
  evaluate(expression: string): unknown
}

/** Whether a reader sees what is under a condition. */
export function isShownFor(condition: string, reader: ReaderValues): boolean {
  return isConditionMet(condition, reader.evaluate(condition))
}

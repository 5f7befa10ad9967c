/** The class of the element of HTML that has an inline expression. */
export const EXPRESSION_CLASS = 'expression'

/** The text that readers see for the value of an inline expression; undefined if the value is no text. */
export function shownValue(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

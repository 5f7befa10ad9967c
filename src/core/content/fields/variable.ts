/** Returns true for a valid variable name: a letter, then letters, digits and `_`. */
export function isVariableName(name: string): boolean {
  return /^[a-z][a-z0-9_]*$/i.test(name)
}

/** The most characters of a variable. */
export const LONGEST_VARIABLE_TEXT = 256

/** Returns true for a valid variable value: a text of at most 256 characters, a number or a boolean. */
export function isVariable(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value.length <= LONGEST_VARIABLE_TEXT

  return typeof value === 'boolean' || Number.isFinite(value)
}

/** The texts in a value of JSON or YAML, which may be a list or an object, in order. */
export function textsInValue(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsInValue) : []
}

/** The texts in a value of JSON or YAML, which may be a list or an object, in order. */
export function textsInValue(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsInValue) : []
}

/** The value, which may be a list or an object, with what `write` makes of each of its texts. */
export function mapTexts<T>(value: T, write: (text: string) => string): T {
  const map = (one: unknown): unknown => {
    if (typeof one === 'string') return write(one)
    if (Array.isArray(one)) return one.map(map)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, map(inner)]))
  }
  return map(value) as T
}

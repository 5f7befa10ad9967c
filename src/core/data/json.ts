/** Functions for JSON values. */

/** Copies a JSON value so that equal values serialize equally: keys are sorted, undefined fields are omitted. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Record<string, unknown>
  const keys = Object.keys(fields).filter((key) => fields[key] !== undefined)
  return Object.fromEntries(keys.toSorted().map((key) => [key, canonical(fields[key])]))
}

/** Deep equality of JSON values. An absent field equals an undefined one. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  return (
    Object.keys(left).every((key) => jsonEqual(left[key], own(right, key))) &&
    Object.keys(right).every((key) => right[key] === undefined || Object.hasOwn(left, key))
  )
}

/** Reads an own property, because a key such as `constructor` must not match an inherited one. */
function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

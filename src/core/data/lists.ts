/**
 * Lists of any length: a spread of one into a call fails beyond about a hundred thousand items. Also reads values that must
 * be present, and throws an error that names what is missing.
 */

/** Adds items to the end of a list. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item)
}

/** The largest of some numbers, and at least `least`. */
export function greatest(numbers: Iterable<number>, least = -Infinity): number {
  let found = least
  for (const number of numbers) if (number > found) found = number
  return found
}

/** The smallest of some numbers, and at most `most`. */
export function smallest(numbers: Iterable<number>, most = Infinity): number {
  let found = most
  for (const number of numbers) if (number < found) found = number
  return found
}

/** The value of a key that a map is known to have. @throws Error with the key */
export function need<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key)
  if (value === undefined) throw new Error(`The map has no value for ${String(key)}`)
  return value
}

/** The last item of a list that is known to have one. @throws Error */
export function needLast<T>(list: readonly T[]): T {
  const item = list.at(-1)
  if (item === undefined) throw new Error('The list is empty')
  return item
}

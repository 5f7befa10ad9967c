/** Lists of any length: a spread of one into a call fails beyond about a hundred thousand items. */

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

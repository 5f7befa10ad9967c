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

/** The value of a key that a map, or another lookup with `get`, is known to have. @throws Error with the key */
export function need<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key)
  if (value === undefined) throw new Error(`The map has no value for ${String(key)}`)
  return value
}

/** The item of a list at a place that it is known to have. @throws Error with the place */
export function needItem<T>(list: ArrayLike<T>, place: number): T {
  const item = list[place]
  if (item === undefined) throw new Error(`The list of ${list.length} items has no item at ${place}`)
  return item
}

/** The last item of a list that is known to have one. @throws Error */
export function needLast<T>(list: readonly T[]): T {
  const item = list.at(-1)
  if (item === undefined) throw new Error('The list is empty')
  return item
}

/** A value that is known to be set. @param name what it is, such as "the path of the file" @throws Error with the name */
export function needValue<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`There is no value for ${name}`)
  return value
}

/** The index of the first item that passes, where all items after it pass too: a binary search. */
export function firstIndex<T>(items: ArrayLike<T>, passes: (item: T) => boolean): number {
  return firstNumber(items.length, (index) => passes(needItem(items, index)))
}

/** The first number from 0 to `end` that passes, where all numbers after it pass too; `end` if none passes. */
export function firstNumber(end: number, passes: (number: number) => boolean): number {
  let [low, high] = [0, end]
  while (low < high) {
    const middle = (low + high) >> 1
    if (passes(middle)) high = middle
    else low = middle + 1
  }
  return low
}

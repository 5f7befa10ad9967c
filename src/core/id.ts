import { randomBytes } from 'node:crypto'

/** What an id may look like when it comes in: wider than what we make, because older ids exist (api-facts 1.1). */
export const ID_PATTERN = '^[a-zA-Z0-9_-]{1,64}$'

/**
 * Makes a source of ids: 22 characters of `[0-9a-z]`, ordered by time and strictly increasing within the source,
 * so that sorting by id is sorting by creation and the order is the same in every collation.
 * Nine characters are milliseconds, three a counter within the millisecond, ten random (51 bits).
 */
export function idSource(clock: () => number, random: (size: number) => Uint8Array = randomBytes) {
  let last = 0
  let counter = 0

  return function newId(): string {
    const time = Math.max(clock(), last)
    counter = time === last ? counter + 1 : 0
    last = time
    if (counter >= 36 ** 3) {
      last += 1
      counter = 0
    }
    return last.toString(36).padStart(9, '0') + counter.toString(36).padStart(3, '0') + randomText(10, random)
  }
}

/** Text of `[0-9a-z]` of the given length, each character from eight random bits modulo-free. */
export function randomText(length: number, random: (size: number) => Uint8Array = randomBytes): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < 252 && text.length < length) text += (byte % 36).toString(36)
    }
  }
  return text
}

import { randomBytes } from 'node:crypto'

/** What an id may look like when it comes in: wider than what we make, because older ids exist (api-facts 1.1). */
export const ID_PATTERN = '^[a-zA-Z0-9_-]{1,64}$'

/**
 * Makes a source of ids: 22 characters of `[0-9a-z]`, ordered by time and strictly increasing within the source,
 * so that sorting by id is sorting by creation and the order is the same in every collation.
 * Nine characters are milliseconds, three a counter within the millisecond, ten random (51 bits).
 */
export function idSource(clock: () => number, random: (size: number) => Uint8Array = pooledBytes) {
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

/** Text of `[0-9a-z]` of the given length; a byte that would favour some characters is passed over. */
export function randomText(length: number, random: (size: number) => Uint8Array = pooledBytes): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < 252 && text.length < length) text += (byte % 36).toString(36)
    }
  }
  return text
}

const POOL_SIZE = 4096
let pool = new Uint8Array(0)

/** Random bytes, fetched many at a time: asking the system costs more than the bytes. Each is given out once. */
function pooledBytes(size: number): Uint8Array {
  if (size > POOL_SIZE) return randomBytes(size)
  if (pool.length < size) pool = randomBytes(POOL_SIZE)
  const bytes = pool.subarray(0, size)
  pool = pool.subarray(size)
  return bytes
}

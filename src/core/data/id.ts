import { randomBytes } from 'node:crypto'

/** The ids that requests may contain. Wider than the ids that Lectern generates, because older ids exist. */
export const ID_PATTERN = '^[a-zA-Z0-9_-]{1,64}$'

/**
 * Creates a generator of ids. An id has 22 characters of `[0-9a-z]`: nine for the milliseconds, three for a counter
 * within the millisecond, ten random (51 bits). The ids of one generator strictly increase, so that sorting by id is
 * sorting by creation time, in the same order under every collation.
 */
export function idSource(clock: () => number, random: (size: number) => Uint8Array = pooledBytes) {
  let last = -1
  let counter = 0
  let prefix = ''

  return function newId(): string {
    counter += 1
    const time = clock()
    if (time > last || counter >= 36 ** 3) {
      last = Math.max(time, last + 1)
      counter = 0
      prefix = last.toString(36).padStart(9, '0')
    }
    return prefix + counter.toString(36).padStart(3, '0') + randomText(10, random)
  }
}

/** The milliseconds at which an id was created; undefined for an id that no `idSource` created. */
export function timeOf(id: string): number | undefined {
  return /^[0-9a-z]{22}$/.test(id) ? Number.parseInt(id.slice(0, 9), 36) : undefined
}

/** Returns random text of `[0-9a-z]` with the given length. Skips bytes that would favour some characters. */
export function randomText(length: number, random: (size: number) => Uint8Array = pooledBytes): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < 252 && text.length < length) text += DIGITS[byte % 36]
    }
  }
  return text
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'
const POOL_SIZE = 4096
let pool = new Uint8Array(0)
let used = 0

/** Random bytes, fetched in large blocks because each system call costs more than the bytes. None is reused. */
function pooledBytes(size: number): Uint8Array {
  if (size > POOL_SIZE) return randomBytes(size)
  if (used + size > pool.length) {
    pool = randomBytes(POOL_SIZE)
    used = 0
  }
  used += size
  return pool.subarray(used - size, used)
}

// Sizes in bytes of V8's objects on a 64-bit machine without pointer compression. An object has two slots of slack.
const OBJECT = 40
const SLOT = 8
const ARRAY = 48
const MAP_ENTRY = 40
const STRING = 24
const NUMBER = 16
/** V8 stores a string with such a character in two bytes for each UTF-16 unit, and other strings in one byte. */
const WIDE = /[\u0100-\uffff]/

/**
 * Estimates the heap size in bytes of a tree of plain objects, arrays, maps and primitive values. A value that is
 * reachable twice counts twice.
 */
export function heapSize(value: unknown): number {
  let bytes = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (typeof one === 'string') bytes += STRING + one.length * (WIDE.test(one) ? 2 : 1)
    else if (typeof one === 'number') bytes += Number.isInteger(one) ? 0 : NUMBER
    else if (Array.isArray(one)) {
      bytes += ARRAY + SLOT * one.length
      for (const item of one) waiting.push(item)
    } else if (one instanceof Map) {
      bytes += ARRAY + MAP_ENTRY * one.size
      for (const [key, item] of one) waiting.push(key, item)
    } else if (typeof one === 'object' && one !== null) {
      bytes += OBJECT
      for (const key in one) {
        bytes += SLOT
        waiting.push((one as Record<string, unknown>)[key])
      }
    }
  }
  return bytes
}

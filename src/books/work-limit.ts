/** A file was not made within its limit. */
export class BookLate extends Error {
  override name = 'BookLate'
}

/** Counts the time of the work on a file, and not the time for which the work waits for others. */
export interface WorkLimit {
  /** The time that is left, in milliseconds. @throws BookLate if none is left */
  left(): number
  /** Takes time that has passed, in milliseconds, out of the count. */
  waited(ms: number): void
}

/** A limit for work that begins now. @param ms in milliseconds */
export function workLimit(ms: number): WorkLimit {
  let until = performance.now() + ms
  return {
    left() {
      const left = until - performance.now()
      if (left <= 0) throw new BookLate()
      return left
    },
    waited(waiting) {
      until += waiting
    },
  }
}

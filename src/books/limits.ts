/** How much the making of a PDF or EPUB file may take. */

/** The limits of a file. */
export interface BookLimits {
  /** The memory of one process, in megabytes; half of it in a place for short files. */
  memoryMb: number
  /** The time of all attempts at a book, in milliseconds. The time for which a file waits for threads does not count. */
  totalMs: number
  /** The time that a file may take in a place for short files, in milliseconds. */
  shortMs: number
  /** The time of one page, in an attempt that names each page. */
  stalledMs: number
}

export const BOOK_LIMITS: BookLimits = {
  memoryMb: 2_000,
  totalMs: 240_000,
  shortMs: 10_000,
  stalledMs: 15_000,
}

let limits = BOOK_LIMITS

/** Sets the limits for the whole process. */
export function limitBooks(wanted: Partial<BookLimits>): void {
  limits = { ...BOOK_LIMITS, ...wanted }
}

export function bookLimits(): BookLimits {
  return limits
}

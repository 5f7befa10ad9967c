/** How much the making of a PDF file may take. */

/** The limits of a PDF file. */
export interface BookLimits {
  /** The memory of one process, in megabytes. */
  memoryMb: number
  /** The time of all attempts at a book, in milliseconds. */
  totalMs: number
  /** The time of one page, in an attempt that names each page. */
  stalledMs: number
}

export const BOOK_LIMITS: BookLimits = { memoryMb: 2_000, totalMs: 240_000, stalledMs: 15_000 }

let limits = BOOK_LIMITS

/** Sets the limits for the whole process. */
export function limitBooks(wanted: Partial<BookLimits>): void {
  limits = { ...BOOK_LIMITS, ...wanted }
}

export function bookLimits(): BookLimits {
  return limits
}

/** The limits of an archive, which the operator sets. */
export interface ArchiveLimits {
  /** The number of entries, including folders. */
  entries: number
  /** The unpacked size of all files together, in bytes. */
  bytes: number
  /** The unpacked size of one file, in bytes. The default equals the limit of an upload. */
  fileBytes: number
  /** Unpacked bytes per byte of the archive. Text compresses to a fifth or a tenth, a zip bomb to a thousandth. */
  ratio: number
}

/** The default limits. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  entries: 20_000,
  bytes: 500 * 1024 * 1024,
  fileBytes: 100 * 1024 * 1024,
  ratio: 200,
}

let current = ARCHIVE_LIMITS

/** Sets the limits of the archives that this process imports. */
export function limitArchives(limits: ArchiveLimits): void {
  current = limits
}

/** The limits of archives. A thread gets them with its task. */
export function archiveLimits(): ArchiveLimits {
  return current
}

import type { Blobs } from './blobs.ts'

/** More are not remembered, so that a store that was lost does not fill the memory. */
const MOST_REMEMBERED = 100_000

/** Where missing bytes are logged. */
export interface MissingBlobLog {
  error(fact: object, message: string): void
}

/** Logs the bytes that the store has lost: those of each hash once in a process. @param log called for each line */
export function missingBlobs(log: () => MissingBlobLog): (hash: string, name?: string) => void {
  const noticed = new Set<string>()
  return (hash, name) => {
    if (noticed.has(hash) || noticed.size >= MOST_REMEMBERED) return
    noticed.add(hash)
    log().error(
      { hash, ...(name === undefined ? {} : { name }) },
      'the bytes of a file are missing from the blob store; restore them from a backup',
    )
  }
}

/** The same store, which also reports the bytes that a caller wants and the store has not. */
export function reportingMissing(blobs: Blobs, report: (hash: string) => void): Blobs {
  return {
    ...blobs,
    async get(hash, range) {
      const found = await blobs.get(hash, range)
      if (!found) report(hash)
      return found
    },
  }
}

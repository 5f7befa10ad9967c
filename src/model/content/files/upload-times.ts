/** How long uploads last. */
const HOUR_MS = 3_600_000
/** An upload that is sent can be used until so long after it was created. */
const LIFE_MS = 24 * HOUR_MS
/** An upload expires unless a request begins to send it within this time, which is more than a request may take. */
const BEGIN_MS = HOUR_MS

/** The end of an upload that is created, or that a request begins to send; a timestamp. */
export const unsentUploadEnd = (now: Date): string => new Date(now.getTime() + BEGIN_MS).toISOString()

/** The end of an upload whose bytes are stored. @param createdAt a timestamp */
export const sentUploadEnd = (createdAt: string): string =>
  new Date(new Date(createdAt).getTime() + LIFE_MS).toISOString()

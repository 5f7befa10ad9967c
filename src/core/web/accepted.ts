/** What the client of a request accepts (RFC 9110, 12.5). */
import Negotiator from 'negotiator'

/** So much of a header is read, because a client can send any text. */
const LONGEST_ACCEPTED = 500

/** The tags of an `Accept-Language` header in lower case, the preferred ones first. */
export function acceptedLanguages(header: string | undefined): string[] {
  const headers = { 'accept-language': header?.slice(0, LONGEST_ACCEPTED) ?? '' }
  return new Negotiator({ headers }).languages().map((tag) => tag.toLowerCase())
}

/**
 * The content coding that an `Accept-Encoding` header prefers; undefined for none.
 * @param offered of codings with equal weights, the first one is taken
 */
export function acceptedCoding<T extends string>(
  header: string | undefined,
  offered: readonly T[],
): T | undefined {
  const headers = { 'accept-encoding': header?.slice(0, LONGEST_ACCEPTED) ?? '' }
  const [first] = new Negotiator({ headers }).encodings([...offered, 'identity'], { preferred: offered })
  return offered.find((coding) => coding === first)
}

/** The addresses of an old website as paths of a new one. */
import { decodeAddress } from '../../text/file-paths.ts'

/** The most segments of a path that may be the base of the website. */
const MOST_BASE = 24

/** An address of the old website. */
export interface OldAddress {
  address: string
  /** Its path below the base of the old website: decoded, in lower case, without slashes at its ends. */
  path: string
}

/**
 * The paths of addresses below the base of their website, such as `docs` in `https://example.com/docs/install`. The base
 * is the one of the paths that all addresses begin with for which the most paths are known. Takes linear time.
 * @param addresses URLs; others are left out
 */
export function pathsOfOldSite(
  addresses: readonly string[],
  isKnown: (path: string) => boolean,
): OldAddress[] {
  const segmented = [...new Set(addresses)].flatMap((address) => {
    const url = URL.parse(address)
    return url ? [{ address, segments: segmentsIn(url.pathname) }] : []
  })
  const pathBelow = (segments: readonly string[], base: number) => segments.slice(base).join('/')
  let [best, most] = [0, -1]
  for (let base = 0; base <= commonLength(segmented); base++) {
    const known = segmented.filter(({ segments }) => isKnown(pathBelow(segments, base))).length
    if (known > most) [best, most] = [base, known]
  }
  return segmented.map(({ address, segments }) => ({ address, path: pathBelow(segments, best) }))
}

function segmentsIn(pathname: string): string[] {
  return pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => decodeAddress(segment).normalize('NFC').toLowerCase())
}

/** The number of segments that all paths begin with. */
function commonLength(paths: readonly { segments: readonly string[] }[]): number {
  const first = paths[0]?.segments ?? []
  let length = Math.min(first.length, MOST_BASE)
  for (const { segments } of paths)
    while (length > 0 && !first.slice(0, length).every((segment, nth) => segment === segments[nth])) length--
  return length
}

import { fullUrl } from '../document/sanitize.ts'

/** A place of the web at which a site is, or was. */
export interface OwnPlace {
  hostname: string
  /** Without percent-encoding, with slashes at both ends. */
  path: string
}

/**
 * The path within a site to which a full URL of the site leads, without a slash at its beginning; undefined for URLs of
 * anything else. The scheme and the port do not matter, because a proxy may change them.
 */
export function pathInPlaces(text: string, places: readonly OwnPlace[]): string | undefined {
  const url = fullUrl(text)
  // The dot at the end of a host name only says that it is complete.
  const host = url?.hostname.replace(/\.$/, '')
  const paths = places.flatMap(({ hostname, path }) => (hostname === host ? [path] : []))
  if (!url || paths.length === 0) return undefined
  const segments = url.pathname.split('/')
  for (const path of paths) {
    const count = path.split('/').length - 1
    const start = segments.slice(0, count).map(decodedSegment)
    if (`${start.join('/')}/` === path) return segments.slice(count).join('/')
  }
  return undefined
}

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A stray percent sign is part of the name.
    return segment
  }
}

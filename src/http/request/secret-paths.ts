import type { Route } from '../route.ts'

const MASK = '[secret]'

/** The keys of share links begin like this, so that they are recognized in paths, and scanners find leaked ones. */
export const SHARE_KEY_PREFIX = 'share_'
const SHARE_KEY = new RegExp(`^${SHARE_KEY_PREFIX}[0-9a-z]{26}$`)

/** Whether a segment of a path is the key of a share link, valid or not. */
export function isShareKey(segment: string): boolean {
  return SHARE_KEY.test(segment)
}

/**
 * Masks the secrets in paths for the log: the parameters that a route declares in `secrets`, and the keys of
 * share links. A path that no route matches, for its method or for what follows the secret, is masked as well.
 */
export function pathMasker(routes: readonly Pick<Route, 'path' | 'secrets'>[]): (path: string) => string {
  const patterns = routes
    .filter(({ secrets }) => secrets !== undefined)
    .map(({ path, secrets = [] }) => ({
      words: path.split('/').slice(1),
      hidden: new Set(secrets.map((name) => `:${name}`)),
    }))

  return function masked(path) {
    if (/^\/(?!v1\/|\/)[^%]*$/i.test(path)) return path.includes(SHARE_KEY_PREFIX) ? withoutKeys(path) : path
    // As the router does it: a whole URL as the target (RFC 9112, section 3.2.2) is its path.
    const parts = path.replace(/^https?:\/\/.*?\//, '/').split('/')
    const places = [...parts.keys()].filter((place) => parts[place] !== '')
    const words = places.map((place) => decoded(parts[place] ?? ''))
    for (const { words: wanted, hidden } of patterns) {
      if (!wanted.every((word, i) => word.startsWith(':') || word === words[i])) continue
      for (const [i, word] of wanted.entries()) {
        const place = places[i]
        if (hidden.has(word) && place !== undefined) parts[place] = MASK
      }
    }
    return withoutKeys(parts.join('/'))
  }
}

/** Masks each segment that contains the prefix of a key, because somebody may have cut or mistyped the key. */
function withoutKeys(path: string): string {
  const parts = path.split('/')
  return parts.map((part) => (decoded(part).includes(SHARE_KEY_PREFIX) ? MASK : part)).join('/')
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word).toLowerCase()
  } catch {
    return word.toLowerCase()
  }
}

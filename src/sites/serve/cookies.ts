/** The token of a visitor. */
export const VISITOR_COOKIE = 'lectern-visitor'
/** The unsigned claims of a visitor. */
export const CLAIMS_COOKIE = 'lectern-claims'
/** The token of a preview. */
export const PREVIEW_COOKIE = 'lectern-preview'
/** The language that a reader chose. */
export const SITE_LANGUAGE_COOKIE = 'lectern-site-language'

/** Where cookies are valid: below a path, and only over HTTPS if the installation uses it. */
export interface CookiePlace {
  path: string
  secure: boolean
}

/**
 * A `Set-Cookie` header. Scripts cannot read the cookie, and other sites send it only when a reader follows a link.
 * @param seconds how long the browser keeps it; undefined until it closes, and 0 removes it
 */
export function setCookie(name: string, value: string, { path, secure }: CookiePlace, seconds?: number) {
  const age = seconds === undefined ? '' : `; Max-Age=${Math.max(0, Math.floor(seconds))}`
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${age}`
}

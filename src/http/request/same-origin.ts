import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a browser sent a request on behalf of a page of this server, so that its cookies may count. `SameSite` alone is
 * not enough, because sites are often on the same registrable domain as the server. A read is also accepted if it opens a
 * page, because another page cannot see what that shows.
 * @param origin the public origin of the server, for browsers that send no `Sec-Fetch-Site`
 */
export function isOwnRequest(method: string, headers: IncomingHttpHeaders, origin: () => string): boolean {
  const site = headers['sec-fetch-site']
  const isFromHere = site === undefined ? headers.origin === origin() : site === 'same-origin'
  if (isFromHere) return true
  if (method !== 'GET' && method !== 'HEAD') return false
  if (site === undefined) return headers.origin === undefined
  return (
    site === 'none' || (headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document')
  )
}

import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { PREVIEW_PARAMETER } from '../../access/visitors/preview.ts'
import { readVisitorToken } from '../../access/visitors/visitor-token.ts'
import { isOpenToAll } from '../../access/visitors/visitors.ts'
import type { Reader } from '../../db/schema.ts'
import { cookieOf } from '../../http/request/cookies.ts'
import { forbidden, missing } from '../../http/errors.ts'
import type { Services } from '../../http/route.ts'
import { isOwnRequest } from '../../http/request/same-origin.ts'
import { queryIn } from '../../http/request/query-string.ts'
import { authOf, enter, type SiteEntry, signInAddress } from '../../model/sites/published/admission.ts'
import type { OpenSite, ServedSite } from '../../model/sites/published/open-site.ts'
import { openToEveryone } from '../../model/sites/published/open-to.ts'
import { isAdmitted } from '../../model/sites/published/resolve/resolve-url.ts'
import { keyIn } from '../../model/sites/published/resolve/share-key.ts'
import { CLAIMS_COOKIE, type CookiePlace, PREVIEW_COOKIE, setCookie, VISITOR_COOKIE } from './cookies.ts'
import { forVisit, redirectResponse, seeOther, type SiteResponse } from './responses.ts'
import { askToSignOut, signedOut, signInNeeded } from './sign-in-pages.ts'
import { claimsCookie, readClaimsCookie, withClaimsOf } from '../../model/sites/published/unsigned-claims.ts'
import { because } from '../../core/languages/reasons.ts'

/** How long a browser keeps a token that does not expire. */
const WEEK_S = 7 * 24 * 3600
const TOKEN_PARAMETER = 'jwt_token'
const ACCESS_PARAMETER = 'access_token'
/** The path within a space that has its style sheet. */
export const THEME_PATH = '~/theme/'
/** The path within a site where readers sign out. */
export const SIGN_OUT_PATH = '~/sign-out'

/** A reader whom a site shows a path to, or the response for one whom it does not. */
export type Admission =
  | { open: OpenSite; path: string; cookies: string[] }
  | { refused: SiteResponse; cookies: string[] }

/** What is needed to decide about a reader. */
export type Admitting = Pick<Services, 'sealing' | 'now' | 'urls'> & {
  db: Reader
  /** The host that the client of a request asked for. */
  hostOf(request: IncomingMessage): string
}

/** Whether a request asks to sign out, by its URL alone. */
export const isSignOutRequest = ({ originalUrl }: FastifyRequest) =>
  originalUrl.split('?', 1)[0]!.endsWith(`/${SIGN_OUT_PATH}`)

/**
 * Decides whether a reader may see a site, and as whom. Every surface of a site passes it: pages, Markdown, the files
 * for machines, uploaded files.
 * @param path the path within the site, as the reader sent it
 * @throws 404 if there is no site for this reader
 */
export async function admit(
  services: Admitting,
  place: ServedSite,
  path: string,
  request: FastifyRequest,
): Promise<Admission> {
  const isOpen = place.published && isOpenToAll({ published: 1, visibility: place.site.visibility })
  if (isOpen && !place.adaptive && !mayNameReader(request) && path !== SIGN_OUT_PATH && !keyIn(path))
    return { open: await openToEveryone(services.db, place), path, cookies: [] }

  const query = new URLSearchParams(queryIn(request.originalUrl))
  const cookies: CookiePlace = { path: place.base, secure: services.urls.api('').startsWith('https:') }
  const asking: Asking = { services, place, path, request, query, cookies }
  const { claims: unsigned, cookie } = unsignedOf(asking)
  const entry = await enter(services, place, {
    path,
    token: tokenIn(asking),
    unsigned,
    preview: query.get(PREVIEW_PARAMETER) ?? cookieOf(request, PREVIEW_COOKIE),
    // Browsers send no cookies with the images of a page in an opaque origin.
    sendsCookies: !place.sandboxed && cookie.length === 0 && sentToken(asking) === undefined,
  })
  if (entry.kind === 'open' && entry.proof.preview !== undefined) return preview(asking, entry)
  if (!place.published) throw noPlace()
  if (path === SIGN_OUT_PATH) return signOut(asking)
  if (entry.kind === 'closed') throw noPlace()
  // The site was shared by a link before. The rest of the address is still that of the page.
  if (entry.kind === 'moved') return refuse(redirectResponse(within(place.base, entry.path), false))

  const base = entry.kind === 'open' ? entry.open.base : place.base
  if (base !== place.base && keyIn(path)?.rest === undefined) return refuse(redirectResponse(base, false))
  if (query.has(TOKEN_PARAMETER)) return signIn({ ...asking, path: entry.path }, base)
  if (entry.kind === 'sign-in') return refuseUnsigned(asking, entry.fallback)
  const { open } = entry
  const isNew = cookie.length > 0
  const visited = isNew ? { ...open, visit: { ...open.visit, storedBy: 'nobody' as const } } : open
  return { open: visited, path: entry.path, cookies: cookie }
}

/** Whether a reader whom an old address leads to a site may see it. */
export async function mayFollow(
  services: Admitting,
  place: ServedSite,
  path: string,
  request: FastifyRequest,
): Promise<boolean> {
  const query = new URLSearchParams(queryIn(request.originalUrl))
  const entry = await enter(services, place, {
    path,
    token: query.get(TOKEN_PARAMETER) ?? tokenIn({ request, query }),
    preview: query.get(PREVIEW_PARAMETER) ?? cookieOf(request, PREVIEW_COOKIE),
  })
  return isAdmitted(place, entry)
}

const noPlace = () => missing(because('no-site-here'))

/** Whether a request may say more about its reader than an anonymous one. */
function mayNameReader({ originalUrl, headers: { cookie } }: FastifyRequest): boolean {
  if (cookie?.includes(PREVIEW_COOKIE)) return true
  return (
    originalUrl.includes('?') &&
    (originalUrl.includes(TOKEN_PARAMETER) || originalUrl.includes(PREVIEW_PARAMETER))
  )
}

interface Asking {
  services: Admitting
  place: ServedSite
  path: string
  request: FastifyRequest
  query: URLSearchParams
  cookies: CookiePlace
}

/** The response for a reader without a valid token, on a site that requires one. */
async function refuseUnsigned(
  { place, path, request, query }: Asking,
  fallback: string | null,
): Promise<Admission> {
  // A client that sends a token by itself cannot follow a redirect to a sign-in page.
  if (fallback === null || request.headers.authorization !== undefined || query.has(ACCESS_PARAMETER))
    return refuse(await signInNeeded(request, place, fallback ?? undefined))
  return refuse(redirectResponse(signInAddress(fallback, path, query), false))
}

/** Puts the token in the address into a cookie, and leads to the address without it. */
async function signIn(asking: Asking, base: string): Promise<Admission> {
  const { services, place, path, request, query, cookies } = asking
  const { key, fallback } = await authOf(services, place)
  const text = query.get(TOKEN_PARAMETER) ?? ''
  const now = services.now()
  const token = await readVisitorToken(text, key, now)
  // To send the reader back for another token could go on for ever.
  if (!token.ok && place.site.visibility === 'visitor-auth')
    return refuse(await signInNeeded(request, place, fallback ?? undefined, token.reason))

  const seconds = token.ok && token.expires ? (token.expires.getTime() - now.getTime()) / 1000 : WEEK_S
  const { cookie } = unsignedOf(asking)
  const rest = new URLSearchParams(
    [...query].filter(([name]) => name !== TOKEN_PARAMETER && !name.startsWith('visitor.')),
  )
  const search = rest.size > 0 ? `?${rest.toString()}` : ''
  return {
    refused: seeOther(within(base, path) + search),
    cookies: [...(token.ok ? [setCookie(VISITOR_COOKIE, text, cookies, seconds)] : []), ...cookie],
  }
}

/** The token of a request: in the `Authorization` header, in the query, or in the cookie of an earlier request. */
function tokenIn(asking: Pick<Asking, 'request' | 'query'>): string | undefined {
  return sentToken(asking) ?? cookieOf(asking.request, VISITOR_COOKIE)
}

/** The token that a client sends by itself. Its requests for files may come without it. */
function sentToken({ request, query }: Pick<Asking, 'request' | 'query'>): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return bearer ?? query.get(ACCESS_PARAMETER) ?? undefined
}

/** Returns the unsigned claims of the reader, and the cookie that keeps them. */
function unsignedOf({ place, request, query, cookies }: Asking) {
  if (!place.adaptive) return { claims: {}, cookie: [] }
  const known = readClaimsCookie(cookieOf(request, CLAIMS_COOKIE))
  const claims = withClaimsOf(query, known)
  if (!claims) return { claims: known, cookie: [] }
  const value = claimsCookie(claims)
  return { claims, cookie: value === undefined ? [] : [setCookie(CLAIMS_COOKIE, value, cookies)] }
}

/** A site as the holder of a preview token sees it. */
async function preview(
  asking: Asking,
  { open, path, expires }: Extract<SiteEntry, { kind: 'open' }>,
): Promise<Admission> {
  const { services, place, query, cookies } = asking
  if (path === SIGN_OUT_PATH) return signOut(asking)
  const token = query.get(PREVIEW_PARAMETER)
  // A page in an opaque origin has no cookie for its style sheet.
  if (token === null || !expires || path.includes(THEME_PATH)) return { open, path, cookies: [] }
  const seconds = (expires.getTime() - services.now().getTime()) / 1000
  return {
    refused: seeOther(within(place.base, path)),
    cookies: [setCookie(PREVIEW_COOKIE, token, cookies, seconds)],
  }
}

/** Any page can link to an address or show it as an image, so that reading it only asks whether to sign out. */
async function signOut({ services, place, request, cookies }: Asking): Promise<Admission> {
  if (request.method !== 'POST') return refuse(await askToSignOut(request, place))
  const scheme = services.urls.api('').startsWith('https:') ? 'https' : 'http'
  if (!isOwnRequest('POST', request.headers, () => `${scheme}://${services.hostOf(request.raw)}`))
    throw forbidden(because('sign-out-from-elsewhere', { address: `${place.base}${SIGN_OUT_PATH}` }))
  const names = [VISITOR_COOKIE, CLAIMS_COOKIE, PREVIEW_COOKIE]
  return {
    refused: forVisit({ storedBy: 'nobody' }, await signedOut(request, place)),
    cookies: names.map((name) => setCookie(name, '', cookies, 0)),
  }
}

const refuse = (response: SiteResponse): Admission => ({
  refused: forVisit({ storedBy: 'nobody' }, response),
  cookies: [],
})

/** A path within a site. Two slashes at its beginning would lead to another host. */
const within = (base: string, path: string) => base + path.replace(/^[/\\]+/, '')

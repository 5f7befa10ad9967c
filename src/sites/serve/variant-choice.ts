/** Which space of a site a reader chooses among those beside each other: by a link of the menu, or by their language. */
import type { FastifyRequest } from 'fastify'
import { acceptedLanguages } from '../../core/web/accepted.ts'
import { cookieOf } from '../../http/request/cookies.ts'
import { queryIn } from '../../http/request/query-string.ts'
import {
  isReadable,
  languageOfSite,
  loadContent,
  pageAddress,
  variantAddress,
} from '../../model/sites/published/content/site-content.ts'
import type { OpenSite, Variant } from '../../model/sites/published/open-site.ts'
import { decodePath, matchesOf } from '../../model/sites/published/resolve/resolve.ts'
import { SITE_LANGUAGE_COOKIE, setCookie } from './cookies.ts'
import { forVisit, redirectResponse, seeOther, type SiteResponse } from './responses.ts'
import type { Tools } from './tools.ts'

/** The parameter of a link that chooses a space and stays on the page, if the space has it. */
const SWITCH_PARAMETER = 'switch'
/** The end of such a link. */
export const SWITCH = `?${SWITCH_PARAMETER}`

/** How long a browser keeps the language that a reader chose. */
const YEAR_S = 365 * 24 * 3600

const queryOf = ({ originalUrl }: FastifyRequest) => new URLSearchParams(queryIn(originalUrl))

/** Whether a request is one of a link that chooses a space. */
export const isSwitchRequest = (request: FastifyRequest) =>
  request.originalUrl.includes(SWITCH_PARAMETER) && queryOf(request).has(SWITCH_PARAMETER)

/**
 * Leads to the same page in the space that a reader chose, or to the start of the space if it does not have the page. The
 * browser remembers the language of the space.
 */
export async function respondToSwitch(
  tools: Tools,
  open: OpenSite,
  path: string,
  request: FastifyRequest,
): Promise<{ response: SiteResponse; cookies: string[] }> {
  const [chosen] = matchesOf(open, path)
  const languages = chosen ? await spokenBeside(tools, open, chosen.variant) : []
  const language = languages.find(({ variant }) => variant === chosen?.variant)?.language
  const query = queryOf(request)
  query.delete(SWITCH_PARAMETER)
  const search = query.size > 0 ? `?${query.toString()}` : ''
  const place = { path: open.base, secure: tools.urls.api('').startsWith('https:') }
  return {
    response: forVisit(open.visit, seeOther((await addressFor(tools, open, path)) + search)),
    cookies: language === undefined ? [] : [setCookie(SITE_LANGUAGE_COOKIE, language, place, YEAR_S)],
  }
}

async function addressFor(tools: Tools, open: OpenSite, path: string): Promise<string> {
  const matches = matchesOf(open, path)
  for (const { variant, rest, base } of matches) {
    const content = await loadContent(tools, open, variant, base)
    const page = rest === '' ? content.root : content.tree.byPath(decodePath(rest))
    if (page && isReadable(content, page)) return pageAddress(content, page)
  }
  return matches[0]?.base ?? open.base
}

/**
 * Decides in which language a reader gets the start of a site: in the one that they chose, or else in the one that their
 * browser prefers. A link on the site leads where it says.
 * @returns undefined if the site has one language; its `elsewhere` redirects to another space than the default one
 */
export async function startInLanguage(
  tools: Tools,
  open: OpenSite,
  request: FastifyRequest,
): Promise<{ elsewhere: SiteResponse | undefined } | undefined> {
  const [start] = matchesOf(open, '')
  if (!start || start.moved || start.variant.home !== '' || open.visit.preview) return undefined
  const spoken = await spokenBeside(tools, open, start.variant)
  if (spoken.length === 0) return undefined
  const chosen = cookieOf(request, SITE_LANGUAGE_COOKIE)
  if (chosen === undefined && isFromSite(open, request)) return { elsewhere: undefined }
  const wanted = [chosen ?? [], acceptedLanguages(request.headers['accept-language'])].flat()
  const variant = wanted.map((tag) => bestFor(tag, spoken)).find((one) => one !== undefined)
  if (!variant || variant === start.variant) return { elsewhere: undefined }
  return { elsewhere: forVisit(open.visit, redirectResponse(variantAddress(open, variant), false)) }
}

/** A response that depends on the language of the reader, for caches. */
export function inLanguage(response: SiteResponse): SiteResponse {
  const known = (response.headers.vary ?? '').split(', ')
  const vary = [...new Set([...known, 'accept-language', 'cookie'])].filter(Boolean).join(', ')
  return { ...response, headers: { ...response.headers, vary } }
}

interface Spoken {
  variant: Variant
  /** In lower case. */
  language: string
}

/** The spaces beside another one and their languages, that one and the default one first; none if they have one language. */
async function spokenBeside(tools: Tools, open: OpenSite, variant: Variant): Promise<Spoken[]> {
  const beside = open.variants.filter(({ section }) => section?.id === variant.section?.id)
  if (!beside.some(({ language }) => language !== null)) return []
  const spokenIn = async (one: Variant) =>
    one.language ?? languageOfSite(await loadContent(tools, open, one, variantAddress(open, one)))
  const first = [variant, ...beside.filter((one) => one !== variant && one.isDefault)]
  const others = beside.filter((one) => !first.includes(one) && one.language !== null)
  const spoken: Spoken[] = []
  for (const one of [...first, ...others])
    spoken.push({ variant: one, language: (await spokenIn(one)).toLowerCase() })
  return new Set(spoken.map(({ language }) => language)).size > 1 ? spoken : []
}

/** The space in a language, or else in another variety of it: a reader of `de-CH` gets `de`. */
function bestFor(tag: string, spoken: readonly Spoken[]): Variant | undefined {
  const language = tag.toLowerCase()
  const found =
    spoken.find((one) => one.language === language) ??
    spoken.find((one) => mainLanguage(one.language) === mainLanguage(language))
  return found?.variant
}

/** Both written forms of Norwegian are `no` here. */
function mainLanguage(tag: string): string {
  const [base = ''] = tag.split('-')
  return base === 'nb' || base === 'nn' ? 'no' : base
}

/** Whether the reader comes from a page of the site. Browsers do not tell it of pages in an opaque origin. */
function isFromSite({ base }: OpenSite, { headers }: FastifyRequest): boolean {
  const { referer, host } = headers
  const from = referer === undefined ? undefined : URL.parse(referer)
  return from?.host === host && from?.pathname.startsWith(base) === true
}

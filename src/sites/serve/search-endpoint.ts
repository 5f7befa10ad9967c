/** The addresses of a site's search: a page of results, and the list in the search box. */
import {
  renderSearchPage,
  type ResultsView,
  searchOptions,
  type ResultsScope,
} from '../render/search-page.ts'
import { composeSite } from './pages/compose.ts'
import type { Tools } from './tools.ts'
import { loadContent, type SiteContent } from '../../model/sites/published/content/site-content.ts'
import { pageHeaders, readableBySandbox, SEARCH_PATH } from './pages/page-headers.ts'
import type { OpenSite } from '../../model/sites/published/open-site.ts'
import { matchesOf } from '../../model/sites/published/resolve/resolve.ts'
import { forVisit, type SiteResponse, textResponse } from './responses.ts'
import { toFoundView } from './found-view.ts'
import { searchedVariants, searchPages, type SiteSearch } from './search-pages.ts'

const HTML = 'text/html; charset=utf-8'
const LONGEST_QUERY = 512
const LISTED_MOST = 8
const ON_PAGE_MOST = 30
/** The last page of results that has an address. */
const LAST_PAGE = 100

/** Whether a path within a site is that of a search. */
export const isSearchPath = (path: string) => path === SEARCH_PATH || path.endsWith(`/${SEARCH_PATH}`)

/**
 * The response to a search; undefined if there is no such space.
 * @param search the query part of the URL: `q` is what is searched for, `page` the number of a page of results, and
 * `list` asks for the list alone
 * @param signal aborts when the reader leaves
 */
export async function respondToSearch(
  tools: Tools,
  open: OpenSite,
  path: string,
  search: URLSearchParams,
  signal: AbortSignal,
): Promise<SiteResponse | undefined> {
  const place = matchesOf(open, path).find(({ rest }) => rest === SEARCH_PATH)
  if (!place) return undefined
  const content = await loadContent(tools, open, place.variant, place.base)
  const query = (search.get('q') ?? '').slice(0, LONGEST_QUERY).toWellFormed().replaceAll('\0', '')
  const isList = search.has('list')
  const isEverywhere = search.has('all') && !isList
  const page = isList ? 1 : pageNumber(search.get('page'))
  const limit = isList ? LISTED_MOST : ON_PAGE_MOST
  const results =
    query.trim() === ''
      ? undefined
      : await resultsOf(tools, content, { query, isEverywhere, from: (page - 1) * limit, limit, signal })
  const site = composeSite(tools.urls, content)
  const hrefOf = (number: number, everywhere = isEverywhere) => {
    const parameters = new URLSearchParams({
      ...(query !== '' && { q: query }),
      ...(everywhere && { all: '' }),
      ...(number > 1 && { page: String(number) }),
    })
    return `${site.search}?${parameters.toString()}`
  }
  if (results && !isList) {
    const last = Math.max(1, Math.ceil(results.count / limit))
    if (page > 1) results.previous = hrefOf(Math.min(page - 1, last))
    if (results.count > page * limit && page < LAST_PAGE) results.next = hrefOf(page + 1)
  }
  const text = isList
    ? searchOptions(site, results ?? { query, count: 0, pages: [] })
    : renderSearchPage(
        site,
        results,
        scopeOf(content, isEverywhere, (everywhere) => hrefOf(1, everywhere)),
      )
  const headers = {
    ...pageHeaders(open),
    ...(isList ? readableBySandbox(open) : {}),
    'x-robots-tag': 'noindex',
  }
  return forVisit(open.visit, await textResponse(200, HTML, text, headers))
}

/**
 * The list for the search box of a page in an opaque origin, whose requests have no cookies: its address is signed for the
 * reader, and any script that knows it may read the response.
 */
export async function respondToSignedSearch(
  tools: Tools,
  open: OpenSite,
  path: string,
  search: URLSearchParams,
  signal: AbortSignal,
): Promise<SiteResponse | undefined> {
  if (!open.sandboxed || !search.has('list')) return undefined
  const found = await respondToSearch(tools, open, path, search, signal)
  return found && { ...found, headers: { ...found.headers, 'access-control-allow-origin': '*' } }
}

/** The number of a page of results; 1 for anything else. */
function pageNumber(text: string | null): number {
  const number = /^[1-9]\d{0,2}$/.test(text ?? '') ? Number(text) : 1
  return number <= LAST_PAGE ? number : 1
}

/** Whether all spaces are searched, and the address that changes it; undefined if there are no other spaces. */
function scopeOf(
  { open, variant }: SiteContent,
  isEverywhere: boolean,
  hrefOf: (everywhere: boolean) => string,
): ResultsScope | undefined {
  return open.variants.length > searchedVariants(open, variant).length
    ? { isEverywhere, other: hrefOf(!isEverywhere) }
    : undefined
}

async function resultsOf(
  tools: Tools,
  { open, variant }: SiteContent,
  { isEverywhere, ...search }: Omit<SiteSearch, 'variants'> & { isEverywhere: boolean },
): Promise<ResultsView> {
  const variants = isEverywhere ? open.variants : searchedVariants(open, variant)
  const { count, pages } = await searchPages(tools, open, { ...search, variants })
  const views = pages.map((page) => {
    const view = toFoundView(page)
    const { section, title } = page.content.variant
    const place = section && section.title !== title ? [section.title, title] : [title]
    return isEverywhere ? { ...view, trail: [...place, ...view.trail] } : view
  })
  return { query: search.query, count, pages: views }
}

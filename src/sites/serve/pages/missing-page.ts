/** The page for an address that no page has: it suggests pages of similar addresses, and searches the words of the address. */
import { lru } from '../../../core/data/lru.ts'
import { sharing } from '../../../core/data/sharing.ts'
import {
  type AddressIndex,
  indexAddresses,
  partsOfAddress,
  wordsOfAddress,
} from '../../../core/search/similar-addresses.ts'
import { pageAddress, type SiteContent } from '../../../model/sites/published/content/site-content.ts'
import type { Navigation } from '../../../model/sites/published/content/navigation.ts'
import { decodePath } from '../../../model/sites/published/resolve/resolve.ts'
import { type MissingPage, renderNotFound } from '../../render/not-found.ts'
import { type SiteResponse, textResponse, weightOf } from '../responses.ts'
import { toFoundView } from '../found-view.ts'
import { searchedVariants, searchPages } from '../search-pages.ts'
import type { Tools } from '../tools.ts'
import { composeSite } from './compose.ts'
import { headersOf } from './page-headers.ts'

const HTML = 'text/html; charset=utf-8'
const MOST_SUGGESTED = 5
const MOST_FOUND = 5
/** Programs ask for such files by themselves. */
const NO_PAGE = /(?:^|\/)[~.]|\.(?:avif|css|env|gif|gz|ico|jpe?g|json|map|png|svg|txt|webp|woff2?|xml|zip)$/i

/** Suggestions depend on the address, of which a client can make up any number, but pages with the same ones are the same. */
const pages = lru<SiteResponse>(16 * 1024 * 1024)
const making = sharing<SiteResponse>()
/** Readers who see the same pages share the index of their addresses. */
const indexes = new WeakMap<Navigation, Promise<AddressIndex>>()

/** The response for an unknown address without suggestions. It is the same for all addresses of a space. */
export function plainNotFound(tools: Tools, content: SiteContent): Promise<SiteResponse> {
  return render(tools, content, { query: '', similar: [], found: [] })
}

/** Whether a response is the page for an unknown address. */
export const isNotFoundPage = ({ status, headers }: SiteResponse) =>
  status === 404 && headers['content-type'] === HTML

/** The response for an unknown address, with what its reader may have meant. @param path below that of the space */
export async function notFoundWithSuggestions(
  tools: Tools,
  content: SiteContent,
  path: string,
): Promise<SiteResponse> {
  const address = decodePath(path)
  if (NO_PAGE.test(address)) return plainNotFound(tools, content)
  const similar = await similarTo(content, address)
  const query = wordsOfAddress(partsOfAddress(address).at(-1) ?? '').join(' ')
  const found = await foundBy(tools, content, query, similar)
  // A client can make up any number of addresses that nothing is similar to.
  if (similar.length + found.length === 0) return plainNotFound(tools, content)
  return render(tools, content, { query, similar, found })
}

/** The pages that the reader may see, in the tree of the space, whose addresses are similar. */
async function similarTo(content: SiteContent, address: string): Promise<MissingPage['similar']> {
  const { navigation } = content
  const { listed } = navigation
  const paths = () => listed.map(({ id }) => decodePath(navigation.path(id)))
  const index = indexes.get(navigation) ?? indexAddresses(paths())
  indexes.set(navigation, index)
  return (await index).similar(address, MOST_SUGGESTED).flatMap(({ place }) => {
    const page = listed[place]
    return page ? [{ title: page.linkTitle ?? page.title, href: pageAddress(content, page) }] : []
  })
}

/** The pages of the site that have the words of the address, without those that are suggested already. */
async function foundBy(
  tools: Tools,
  { open, variant }: SiteContent,
  query: string,
  similar: MissingPage['similar'],
): Promise<MissingPage['found']> {
  if (query === '') return []
  const known = new Set(similar.map(({ href }) => href))
  const { pages: found } = await searchPages(tools, open, {
    query,
    variants: searchedVariants(open, variant),
    limit: MOST_FOUND + known.size,
    signal: new AbortController().signal,
  })
  return found
    .filter(({ address }) => !known.has(address))
    .slice(0, MOST_FOUND)
    .map((one) => ({ ...toFoundView(one), sections: [] }))
}

async function render(tools: Tools, content: SiteContent, missing: MissingPage): Promise<SiteResponse> {
  const { open, variant, base } = content
  const key = JSON.stringify([open.version, variant.siteSpaceId, base, missing])
  return (
    pages.get(key) ??
    making(key, async () => {
      const page = renderNotFound(composeSite(tools.urls, content), missing)
      const response = await textResponse(404, HTML, page, headersOf(content))
      pages.set(key, response, weightOf(response) + key.length)
      return response
    })
  )
}

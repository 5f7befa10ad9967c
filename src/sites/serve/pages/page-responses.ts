/** The pages of sites, which are rendered once until something changes. */
import { lru } from '../../../core/data/lru.ts'
import { sharing } from '../../../core/data/sharing.ts'
import { isAsElsewhere } from '../../../model/sites/published/resolve/elsewhere.ts'
import type { OpenSite } from '../../../model/sites/published/open-site.ts'
import { decodePath } from '../../../model/sites/published/resolve/resolve.ts'
import { type PageFormat, respondToPath } from './pages.ts'
import { forVisit, type SiteResponse, weightOf } from '../responses.ts'
import type { Tools } from '../tools.ts'

const CACHE_BYTES = 48 * 1024 * 1024
const CLAIMED_CACHE_BYTES = 16 * 1024 * 1024

/** Responds to a path within a site, as its reader sees it. */
export type PageResponder = (open: OpenSite, path: string, format: PageFormat) => Promise<SiteResponse>

/** Responds from a cache while nothing changed. Concurrent requests for one page render it once. */
export function pageResponder(tools: Tools): PageResponder {
  const cache = lru<SiteResponse>(CACHE_BYTES, 'pages')
  // Apart, because a client can make up any number of claims. They must not evict what everyone sees.
  const claimedCache = lru<SiteResponse>(CLAIMED_CACHE_BYTES, 'pages-of-readers')
  const cacheFor = ({ visit }: OpenSite) => (visit.context === '' ? cache : claimedCache)
  const rendering = sharing<SiteResponse>()

  async function render(
    open: OpenSite,
    path: string,
    format: PageFormat,
    key: string,
  ): Promise<SiteResponse> {
    const response = forVisit(open.visit, await respondToPath(tools, open, path, format))
    // A client can make up addresses: of pages that do not exist, and spellings of those that do. They must not evict
    // the pages that readers ask for.
    const isUsual = path === decodePath(path).split('/').map(encodeURIComponent).join('/')
    if (response.status === 200 && !response.partial && isUsual)
      cacheFor(open).set(key, response, weightOf(response))
    return response
  }

  return async (open, path, format) => {
    const key = `${open.version}/${format === 'html' ? '' : ' '}${path}`
    const known = cacheFor(open).get(key)
    if (known && (!known.elsewhere?.size || (await isAsElsewhere(tools.db, known.elsewhere)))) return known
    return rendering(key, () => render(open, path, format, key))
  }
}

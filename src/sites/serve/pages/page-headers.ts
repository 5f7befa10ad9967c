import type { PageRecord } from '../../../core/content/revision.ts'
import { isIndexed } from '../../../model/sites/published/resolve/addresses.ts'
import type { SiteContent } from '../../../model/sites/published/content/site-content.ts'
import { policyWith } from '../../render/page-head.ts'
import type { OpenSite } from '../../../model/sites/published/open-site.ts'
import type { Visit } from '../../../model/sites/published/visit.ts'

/** The path of the search within a space of a site. */
export const SEARCH_PATH = '~/search'
/** The path within a site to which pages send requests that browsers cannot send to the API that they describe. */
export const TRY_PATH = '~/try'

/**
 * A site on the API's own host runs in an opaque origin, so that none of its scripts can use the reader's session with
 * the API. Its links open other sites as usual.
 */
const SANDBOX =
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads allow-modals'

/**
 * Headers of every HTML page of a site.
 * @param origins the origins to which forms of the page send requests
 */
export function pageHeaders(
  { sandboxed, visit }: Pick<OpenSite, 'sandboxed'> & { visit?: Visit | undefined },
  origins: readonly string[] = [],
): Record<string, string> {
  const policy = policyWith(origins)
  return {
    'content-security-policy': sandboxed ? `${policy}; ${SANDBOX}` : policy,
    'referrer-policy': referrerPolicy(visit),
  }
}

/**
 * Headers of a page with a form that changes something for its reader. The other pages of a site have an opaque origin, in
 * which a form cannot prove that it is the site's own. This page has the origin of the site, so it has no scripts and
 * nothing that authors wrote, and no other page can put it into a frame.
 */
export const FORM_PAGE_HEADERS: Record<string, string> = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  // With "no-referrer", browsers would not name the origin of the form.
  'referrer-policy': 'same-origin',
}

/** The address of a page can hold the key of a share link, and that of a page for few its secrets. */
function referrerPolicy(visit: Visit | undefined): string {
  if (!visit || visit.storedBy === 'anyone') return 'strict-origin-when-cross-origin'
  return visit.key === undefined ? 'same-origin' : 'no-referrer'
}

/**
 * Below the API's host, a page runs in an opaque origin. Its script may read what does not differ between readers; for
 * the rest, it sends no cookies.
 */
export function readableBySandbox(open: Pick<OpenSite, 'sandboxed' | 'visit'>): Record<string, string> {
  const { storedBy, key } = open.visit
  const isForAll = open.sandboxed && (storedBy === 'anyone' || key !== undefined)
  return isForAll ? { 'access-control-allow-origin': '*' } : {}
}

/** The header repeats the settings of the page, because Markdown has no element for them. */
export function robotsHeader(content: SiteContent, page?: PageRecord): Record<string, string> {
  if (!isIndexed(content.open)) return { 'x-robots-tag': 'noindex, nofollow' }
  return page && content.tree.noRobotsIndex(page.id) ? { 'x-robots-tag': 'noindex' } : {}
}

/** The headers of a page that shows no content. @param origins as of `pageHeaders` */
export const headersOf = (content: SiteContent, origins?: readonly string[]) => ({
  ...pageHeaders(content.open, origins),
  ...robotsHeader(content),
})

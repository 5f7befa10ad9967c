import { LONGEST_CHAIN, type RedirectMatch, withSegments } from '../../core/web/redirect-table.ts'
import { externalUrl, type RedirectRule, redirectsOfSite } from '../../model/sites/redirects/site-redirect.ts'
import type { Tools } from './tools.ts'
import { hiddenUrls } from '../../model/sites/published/content/hidden-urls.ts'
import {
  isReadable,
  loadContent,
  pageAddress,
  variantAddress,
} from '../../model/sites/published/content/site-content.ts'
import type { OpenSite } from '../../model/sites/published/open-site.ts'
import { configuredRedirect, type SiteResponse } from './responses.ts'

/** Whether a page is at a path within a site. */
type IsPage = (path: string) => Promise<boolean>

/**
 * Redirects to the end of the chain that begins with a match. There is no response if the destination is hidden from the
 * reader or gone, or if the chain leads nowhere: then the path is unknown.
 */
export async function followRedirect(
  tools: Tools,
  open: OpenSite,
  first: RedirectMatch<RedirectRule>,
  isPage: IsPage,
): Promise<SiteResponse | undefined> {
  const redirects = await redirectsOfSite(tools.db, open.site, { drafts: open.visit.preview !== undefined })
  let match: RedirectMatch<RedirectRule> | undefined = first
  let permanent = true
  for (let hops = 0; hops < LONGEST_CHAIN; hops++) {
    const { rule, rest }: RedirectMatch<RedirectRule> = match
    permanent &&= rule.permanent
    if (rule.destination.kind === 'external') {
      const url = externalUrl(rule.destination.url, rest)
      const isHidden = (await hiddenUrls(tools, open, [url])).has(url)
      return isHidden ? undefined : configuredRedirect(url, permanent)
    }
    const address = await redirectedAddress(tools, open, rule.destination)
    if (address === undefined) return undefined
    const location = withSegments(address, rest)
    const path = location.slice(open.base.length)
    if (rest.length === 0 || (await isPage(path))) return configuredRedirect(location, permanent)
    match = redirects.exact(path) ?? redirects.wildcard(path)
    if (!match) return configuredRedirect(location, permanent)
  }
  return undefined
}

/** The path on the host of a section, a space or a page that the reader may see. */
async function redirectedAddress(
  tools: Tools,
  open: OpenSite,
  destination: Exclude<RedirectRule['destination'], { kind: 'external' }>,
): Promise<string | undefined> {
  const inside = open.variants.filter(({ siteSpaceId, section }) =>
    destination.kind === 'site-section'
      ? section?.id === destination.siteSectionId
      : siteSpaceId === destination.siteSpaceId,
  )
  const variant = inside.find(({ isDefault }) => isDefault) ?? inside[0]
  if (!variant) return undefined
  const content = await loadContent(tools, open, variant, variantAddress(open, variant))
  const page = destination.kind === 'site-page' ? content.tree.get(destination.pageId) : content.root
  return page && isReadable(content, page) ? pageAddress(content, page) : undefined
}

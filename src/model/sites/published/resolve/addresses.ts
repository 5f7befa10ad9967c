/** The addresses of a site for the public, and whether search engines may index them. */
import type { PageRecord } from '../../../../core/content/revision.ts'
import type { Urls } from '../../../../http/urls.ts'
import { pageAddress, type SiteContent } from '../content/site-content.ts'
import type { OpenSite } from '../open-site.ts'

/** The path of the Markdown of a page. */
export function markdownAddress(content: SiteContent, page: PageRecord): string {
  const isRoot = content.root?.id === page.id
  return isRoot ? `${content.base}${content.navigation.path(page.id)}.md` : `${pageAddress(content, page)}.md`
}

/** Whether search engines may index a site. What a reader with a secret sees, they may not. */
export function isIndexed({ site, visit }: OpenSite): boolean {
  return site.visibility === 'public' && !visit.preview
}

/** The public URL of a site, as its reader may share it: with the key of the share link that they use. */
export function homeOf(urls: Urls, { site, organizationHostname, visit: { key } }: OpenSite): string {
  return urls.site(site, organizationHostname) + (key === undefined ? '' : `${key}/`)
}

/** The public URL of a path on the host of a site. */
export function absolute(urls: Urls, { open, base }: SiteContent, path: string): string {
  const home = homeOf(urls, open)
  // `path` starts with the base at which the site is served, which can differ from its public URL.
  const within = path.slice(open.base.length)
  return base.startsWith(open.base) ? home + within : home
}

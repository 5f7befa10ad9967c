import type { LinkTarget } from '../../../core/document/html/renderer.ts'
import {
  linkTo,
  loadContent,
  type SiteContent,
  type SiteServices,
} from '../../../model/sites/published/content/site-content.ts'
import { decodePath, matchesOf } from '../../../model/sites/published/resolve/resolve.ts'

/** A page looks up so many of its URLs. */
const MOST = 500

/**
 * The pages that full URLs of the site itself name, by URL, so that links to them have titles. Only pages that the reader
 * may see.
 * @param home the public URL of the site, with a slash at its end
 */
export async function ownPages(
  services: SiteServices,
  { open }: SiteContent,
  urls: readonly string[],
  home: string,
): Promise<Map<string, LinkTarget>> {
  const found = new Map<string, LinkTarget>()
  const own = urls.filter((url) => url.startsWith(home) && !url.includes('?'))
  for (const url of own.slice(0, MOST)) {
    const [path = '', anchor] = url.slice(home.length).split('#', 2)
    const target = await pageAt(path)
    if (target) found.set(url, { ...target, href: target.href + (anchor === undefined ? '' : `#${anchor}`) })
  }
  return found

  async function pageAt(path: string): Promise<(LinkTarget & { href: string }) | undefined> {
    for (const { variant, rest, base } of matchesOf(open, path)) {
      const content = await loadContent(services, open, variant, base)
      const page = rest === '' ? content.root : content.tree.byPath(decodePath(rest))
      if (page?.type !== 'document' || !content.shown(page)) continue
      const target = linkTo(content, { kind: 'page', page: page.id })
      if (target?.href !== undefined) return { ...target, href: target.href }
    }
    return undefined
  }
}

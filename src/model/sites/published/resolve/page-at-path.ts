import type { PageRecord } from '../../../../core/content/revision.ts'
import { loadContent, type SiteContent, type SiteServices } from '../content/site-content.ts'
import type { OpenSite } from '../open-site.ts'
import { decodePath, matchesOf } from './resolve.ts'

/** The page at a path that a page of the site sent, if its reader may see it. @param path a path on the host of the site */
export async function pageAtPath(
  services: SiteServices,
  open: OpenSite,
  path: string,
): Promise<{ content: SiteContent; page: PageRecord } | undefined> {
  if (!path.startsWith(open.base)) return undefined
  for (const { variant, rest, base } of matchesOf(open, path.slice(open.base.length))) {
    const content = await loadContent(services, open, variant, base)
    const page = rest === '' ? content.root : content.tree.byPath(decodePath(rest))
    if (page?.type === 'document' && content.shown(page)) return { content, page }
  }
  return undefined
}

import type { Reader } from '../../../../db/schema.ts'
import type { Urls } from '../../../../http/urls.ts'
import { externalLinksIn } from '../../structure/external-link.ts'
import type { LinkRow } from '../../structure/reading-order.ts'
import type { OpenSite } from '../open-site.ts'
import { hiddenUrls } from './hidden-urls.ts'

/** Those of the links of a site that its reader sees: by their conditions, and by what they lead to on the site itself. */
export async function shownLinks(
  services: { db: Reader; urls: Urls },
  open: OpenSite | undefined,
  links: readonly LinkRow[],
): Promise<LinkRow[]> {
  if (!open || links.length === 0) return []
  const shown = new Set(externalLinksIn(open.items).map(({ id }) => id))
  const hidden = await hiddenUrls(
    services,
    open,
    links.map(({ url }) => url),
  )
  return links.filter(({ id, url }) => shown.has(id) && !hidden.has(url))
}

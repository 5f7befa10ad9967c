/** The feed of a page with dated entries (RSS 2.0). */
import type { PageRecord } from '../../../core/content/revision.ts'
import { escapeXml } from '../../../core/text/xml.ts'
import { updatesOf } from './body.ts'
import { absolute, homeOf } from '../../../model/sites/published/resolve/addresses.ts'
import type { Tools } from '../tools.ts'
import {
  languageOfSite,
  pageAddress,
  type SiteContent,
} from '../../../model/sites/published/content/site-content.ts'

/** The newest entries that a feed has. */
const ENTRIES = 100
const FEED = /(?:^|\/)rss\.xml$/

/** The path of the page whose feed is at a path within a space; undefined for other paths. */
export function pageOfFeed(path: string): string | undefined {
  return FEED.test(path) ? path.replace(FEED, '') : undefined
}

/** The path of the feed of a page on its host. */
export function feedAddress(content: SiteContent, page: PageRecord): string {
  const address = pageAddress(content, page)
  return `${address}${address.endsWith('/') ? '' : '/'}rss.xml`
}

/** The feed of a page; undefined for a page without dated entries. */
export async function feedOf(
  tools: Tools,
  content: SiteContent,
  page: PageRecord,
): Promise<string | undefined> {
  const entries = await updatesOf(tools, content, page, homeOf(tools.urls, content.open))
  if (entries.length === 0) return undefined
  const link = absolute(tools.urls, content, pageAddress(content, page))
  const self = absolute(tools.urls, content, feedAddress(content, page))
  const items = entries.slice(0, ENTRIES).map(({ date, title, html, tags }, i) => {
    const time = new Date(date)
    // Counted from the end, because new entries are added at the top.
    const guid = `${page.id}-${entries.length - i}-${date}`
    return `<item>
<title>${escapeXml(title)}</title>
<link>${escapeXml(link)}</link>
<guid isPermaLink="false">${escapeXml(guid)}</guid>
${Number.isNaN(time.getTime()) ? '' : `<pubDate>${time.toUTCString()}</pubDate>\n`}${tags
      .map((tag) => `<category>${escapeXml(tag)}</category>\n`)
      .join('')}<description>${escapeXml(html)}</description>
</item>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${escapeXml(page.title)}</title>
<link>${escapeXml(link)}</link>
<atom:link href="${escapeXml(self)}" rel="self" type="application/rss+xml" />
<description>${escapeXml(page.description ?? page.title)}</description>
<language>${escapeXml(languageOfSite(content))}</language>
<lastBuildDate>${new Date(page.updatedAt ?? content.revision.createdAt).toUTCString()}</lastBuildDate>
${items.join('\n')}
</channel>
</rss>
`
}

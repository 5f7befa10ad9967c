/** The text formats of a site: Markdown, `sitemap.xml`, `robots.txt`, `llms.txt`. */
import type { PageRecord } from '../../core/content/revision.ts'
import { absolute, markdownAddress, type Tools } from './compose.ts'
import { markdownOf } from './body.ts'
import { pageAddress, type SiteContent } from './content.ts'

/** The Markdown of a page as a visitor may see it, with included content in place and absolute URLs. */
export function pageMarkdown({ db, urls }: Tools, content: SiteContent, page: PageRecord): Promise<string> {
  const { site, organizationHostname } = content.open
  return markdownOf(db, content, page, urls.site(site, organizationHostname))
}

/** The pages that search engines may index (sitemaps.org). */
export function siteMap({ urls }: Tools, contents: SiteContent[]): string {
  const entries = contents.flatMap((content) =>
    listed(content)
      .filter(({ id }) => !content.tree.noRobotsIndex(id))
      .map((page) => {
        const location = escapeXml(absolute(urls, content, pageAddress(content, page)))
        return `<url><loc>${location}</loc><lastmod>${page.updatedAt}</lastmod></url>`
      }),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`
}

/** The rules for crawlers of a host (RFC 9309). @param maps URLs of the site maps; without any, crawlers are excluded */
export function robots(maps: string[]): string {
  if (maps.length === 0) return 'User-agent: *\nDisallow: /\n'
  return `User-agent: *\nAllow: /\n\n${maps.map((map) => `Sitemap: ${map}\n`).join('')}`
}

/** The title of the site, and each page with the URL of its Markdown, for language models. */
export function llmsText({ urls }: Tools, contents: SiteContent[]): string {
  const [first] = contents
  if (!first) return ''
  const description = first.root?.description
  const parts = contents.map((content) => {
    const lines = listed(content)
      .filter(({ id }) => !content.tree.noIndex(id))
      .map((page) => {
        const link = `- [${escapeBrackets(page.title)}](${absolute(urls, content, markdownAddress(content, page))})`
        return page.description ? `${link}: ${page.description.replace(/\s+/g, ' ')}` : link
      })
    return `## ${content.variant.title}\n\n${lines.join('\n')}\n`
  })
  return `# ${first.open.site.title}\n\n${description ? `> ${description.replace(/\s+/g, ' ')}\n\n` : ''}${parts.join('\n')}`
}

/** The pages that the site lists and a visitor may see, in reading order. */
function listed({ tree, shown }: SiteContent): PageRecord[] {
  return tree.documents().filter(shown)
}

const escapeBrackets = (text: string) => text.replace(/[[\]]/g, '\\$&')

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

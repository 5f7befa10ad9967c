/** What a site says to machines: Markdown, `sitemap.xml`, `robots.txt`, `llms.txt`. */
import { printPage } from '../core/document/print.ts'
import type { PageRecord } from '../core/revision.ts'
import { absolute, markdownAddress, type Tools } from './compose.ts'
import { loadDocument, pageAddress, renderContext, rootPage, type SiteContent } from './content.ts'
import { visibleDocument } from './visible.ts'

/** A page as Markdown: what a visitor may see of it, with includes in place and addresses that work anywhere. */
export async function pageMarkdown(
  { db, at }: Tools,
  content: SiteContent,
  page: PageRecord,
): Promise<string> {
  const loaded = await loadDocument(db, content, page)
  const context = renderContext(content, page, loaded, () => undefined)
  const visible = visibleDocument(loaded.document, context, (path) => absolute(at, content, path))
  const { title, description } = page
  return printPage({ title, meta: description === undefined ? {} : { description }, document: visible })
}

/** Every page that search engines may list (sitemaps.org). */
export function siteMap({ at }: Tools, contents: SiteContent[]): string {
  const urls = contents.flatMap((content) =>
    listed(content)
      .filter(({ id }) => !content.tree.noRobotsIndex(id))
      .map((page) => {
        const location = escapeXml(absolute(at, content, pageAddress(content, page)))
        return `<url><loc>${location}</loc><lastmod>${page.updatedAt}</lastmod></url>`
      }),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}

/** What crawlers may do on a host (RFC 9309). @param maps addresses of the site maps; none closes the host to them */
export function robots(maps: string[]): string {
  if (maps.length === 0) return 'User-agent: *\nDisallow: /\n'
  return `User-agent: *\nAllow: /\n\n${maps.map((map) => `Sitemap: ${map}\n`).join('')}`
}

/** The site for language models: its title, and each page with the address of its Markdown. */
export function llmsText({ at }: Tools, contents: SiteContent[]): string {
  const [first] = contents
  if (!first) return ''
  const description = rootPage(first)?.description
  const parts = contents.map((content) => {
    const lines = listed(content)
      .filter(({ id }) => !content.tree.noIndex(id))
      .map((page) => {
        const link = `- [${escapeBrackets(page.title)}](${absolute(at, content, markdownAddress(content, page))})`
        return page.description ? `${link}: ${page.description.replace(/\s+/g, ' ')}` : link
      })
    return `## ${content.variant.title}\n\n${lines.join('\n')}\n`
  })
  return `# ${first.open.site.title}\n\n${description ? `> ${description.replace(/\s+/g, ' ')}\n\n` : ''}${parts.join('\n')}`
}

/** The pages that a visitor may see and the site lists, in reading order. */
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

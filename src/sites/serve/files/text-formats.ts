/** The text formats of a site: Markdown, site maps, `robots.txt`, `llms.txt`, `llms-full.txt`. */
import type { PageRecord } from '../../../core/content/revision.ts'
import { eachInTurns } from '../../../core/runtime/turns.ts'
import { escapeXml } from '../../../core/text/xml.ts'
import { absolute, homeOf, markdownAddress } from '../../../model/sites/published/resolve/addresses.ts'
import type { Tools } from '../tools.ts'
import { markdownOf } from '../../../model/sites/published/content/body.ts'
import { pageAddress, type SiteContent } from '../../../model/sites/published/content/site-content.ts'
import type { ShownMcpServer } from '../../../model/sites/published/content/shown-mcp-servers.ts'
import type { Elsewhere } from '../../../model/sites/published/resolve/elsewhere.ts'
import type { OpenSite } from '../../../model/sites/published/open-site.ts'

/** The pages of one part of `llms-full.txt`, and the characters after which a part has only links to the others. */
const PAGES_OF_PART = 100
const LENGTH_OF_PART = 4_000_000

/** Lines that are joined at once. To join a hundred thousand would hold the event loop. */
const LINES_AT_ONCE = 500

/** Lines that become one text, joined a part at a time. */
function lineCollector() {
  const parts: string[] = []
  let lines: string[] = []
  const join = () => {
    if (lines.length > 0) parts.push(lines.join('\n'))
    lines = []
  }
  return {
    add(line: string) {
      lines.push(line)
      if (lines.length === LINES_AT_ONCE) join()
    },
    text() {
      join()
      return parts.join('\n')
    },
  }
}

/** A text, and what it shows of other sites: it holds as long as they are as they were. */
export interface SiteText {
  text: string
  elsewhere: Elsewhere
}

/** The Markdown of a page as a visitor may see it, with included content in place and absolute URLs. */
export async function pageMarkdown(
  tools: Tools,
  content: SiteContent,
  page: PageRecord,
  elsewhere = new Map<string, string>(),
): Promise<SiteText> {
  const home = homeOf(tools.urls, content.open)
  const text = await markdownOf(tools, content, page, home, { elsewhere, readFile: tools.readFile })
  return { text, elsewhere }
}

/** The pages that search engines may index (sitemaps.org). */
export async function siteMap({ urls }: Tools, contents: SiteContent[]): Promise<string> {
  const entries = lineCollector()
  for (const content of contents) {
    await eachInTurns(content.navigation.listed, (page) => {
      if (content.tree.noRobotsIndex(page.id)) return
      const location = escapeXml(absolute(urls, content, pageAddress(content, page)))
      entries.add(`<url><loc>${location}</loc><lastmod>${page.updatedAt}</lastmod></url>`)
    })
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.text()}
</urlset>
`
}

/** The site map of each space of a site. @param open absent for a site that search engines may not index */
export function siteMapIndex({ urls }: Tools, open: OpenSite | undefined): string {
  const maps = (open?.variants ?? []).map(({ home }) => {
    const location = escapeXml(`${homeOf(urls, open!)}${home}sitemap-pages.xml`)
    return `<sitemap><loc>${location}</loc></sitemap>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${maps.join('\n')}
</sitemapindex>
`
}

/** The rules for crawlers of a host (RFC 9309). @param maps URLs of the site maps; without any, crawlers are excluded */
export function robots(maps: string[]): string {
  if (maps.length === 0) return 'User-agent: *\nDisallow: /\n'
  return `User-agent: *\nAllow: /\n\n${maps.map((map) => `Sitemap: ${map}\n`).join('')}`
}

/** The title of the site, each page with the URL of its Markdown, and MCP servers of others, for language models. */
export async function llmsText({ urls }: Tools, contents: SiteContent[]): Promise<string> {
  const [first] = contents
  if (!first) return ''
  const description = first.root?.description
  const parts: string[] = []
  for (const content of contents) {
    const lines = lineCollector()
    await eachInTurns(content.navigation.listed, (page) => {
      if (content.tree.noIndex(page.id)) return
      const link = `- [${escapeBrackets(page.title)}](${absolute(urls, content, markdownAddress(content, page))})`
      lines.add(page.description ? `${link}: ${page.description.replace(/\s+/g, ' ')}` : link)
    })
    parts.push(`## ${content.variant.title}\n\n${lines.text()}\n`)
  }
  const servers = first.mcpServers.map((server) => {
    const address = server.url.replace(/[()]/g, (one) => (one === '(' ? '%28' : '%29'))
    return `- [${escapeBrackets(server.name)}](${address}): ${connectionTo(server)}\n`
  })
  if (servers.length > 0) parts.push(`## MCP servers\n\n${servers.join('')}`)
  return `# ${first.open.site.title}\n\n${description ? `> ${description.replace(/\s+/g, ' ')}\n\n` : ''}${parts.join('\n')}`
}

/**
 * A part of the Markdown of all pages, for language models.
 * @param part the number of the part, from 1
 * @returns undefined if there is no such part
 */
export async function llmsFullText(
  tools: Tools,
  contents: SiteContent[],
  part: number,
): Promise<SiteText | undefined> {
  const pages = contents.flatMap((content) =>
    content.navigation.listed
      .filter((page) => !content.tree.noIndex(page.id))
      .map((page) => ({ content, page })),
  )
  const inPart = pages.slice((part - 1) * PAGES_OF_PART, part * PAGES_OF_PART)
  if (inPart.length === 0 && part > 1) return undefined
  const texts: string[] = []
  const elsewhere = new Map<string, string>()
  let length = 0
  for (const { content, page } of inPart) {
    const url = absolute(tools.urls, content, markdownAddress(content, page))
    const text =
      length < LENGTH_OF_PART
        ? (await pageMarkdown(tools, content, page, elsewhere)).text
        : `# ${page.title}\n\nThis page is left out here, because the file would be too long.\n`
    length += text.length
    texts.push(`${text.trimEnd()}\n\nSource: ${url}\n`)
  }
  if (pages.length > part * PAGES_OF_PART)
    texts.push(`The next part: ${homeOf(tools.urls, contents[0]!.open)}llms-full.txt/${part + 1}\n`)
  return { text: texts.join('\n---\n\n'), elsewhere }
}

/** How a client connects to an MCP server of others, for language models. */
export function connectionTo({ transport, headers }: ShownMcpServer): string {
  const way = transport === 'http' ? 'Streamable HTTP' : 'HTTP with SSE'
  if (headers.length === 0) return way
  return `${way}, with the ${headers.length === 1 ? 'header' : 'headers'} ${headers.join(', ')}`
}

const escapeBrackets = (text: string) => text.replace(/[[\]]/g, '\\$&')

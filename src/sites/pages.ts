import { redirected, redirectedElsewhere } from '../model/redirects.ts'
import type { PageRecord } from '../core/revision.ts'
import { type Answer, answerRedirect, answerText } from './answers.ts'
import { composePage, composeSite, markdownAddress, type Tools } from './compose.ts'
import { loadContent, pageAddress, rootPage, type SiteContent } from './content.ts'
import { renderNotFound, renderPage } from './page.ts'
import { CONTENT_SECURITY_POLICY } from './page-head.ts'
import { chooseVariant, type OpenSite } from './resolve.ts'
import { llmsText, pageMarkdown, robots, siteMap } from './texts.ts'

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'

/** The answer for a path within a site; the same for everyone, so that it can be kept. */
export async function answerPath(tools: Tools, open: OpenSite, path: string): Promise<Answer> {
  if (path === 'sitemap.xml')
    return answerText(200, 'application/xml; charset=utf-8', siteMap(tools, await loadAll(tools, open)))
  if (path === 'llms.txt') return answerText(200, PLAIN, llmsText(tools, await loadAll(tools, open)))
  if (path === 'robots.txt') return answerText(200, PLAIN, robots(mapsOf(tools, [open])))

  const chosen = chooseVariant(open, path)
  if (!chosen) return answerText(404, PLAIN, 'This site has no space.\n')
  const content = await loadContent(tools.db, open, chosen.variant, chosen.base)
  const answer = await answerContent(tools, content, decodePath(chosen.rest))
  if (answer.status !== 404) return answer

  // A folder of the default space may be named as another space of the site is.
  const main = open.variants.find(({ isDefault }) => isDefault)
  if (!main || main === chosen.variant) return answer
  const other = await answerContent(
    tools,
    await loadContent(tools.db, open, main, open.base),
    decodePath(path),
  )
  return other.status === 404 ? answer : other
}

async function answerContent(tools: Tools, content: SiteContent, path: string): Promise<Answer> {
  const present = pageAt(content, path)
  const elsewhere = present ? undefined : redirectedElsewhere(content.revision, path)
  if (elsewhere) return answerRedirect(elsewhere)
  const { page, markdown } = present ?? (await pageOnceAt(tools, content, path)) ?? {}
  if (!page || !content.shown(page)) return notFound(content)
  if (page.type === 'group') return toFirstBelow(content, page)
  if (page.type !== 'document') return notFound(content)

  const address = markdown ? markdownAddress(content, page) : pageAddress(content, page)
  if (address !== content.base + path.split('/').map(encodeURIComponent).join('/'))
    return answerRedirect(address)
  if (markdown)
    return answerText(200, MARKDOWN, await pageMarkdown(tools, content, page), robotsHeader(content, page))
  return answerText(200, HTML, renderPage(await composePage(tools, content, page)), pageHeaders(content))
}

/** What a path means: a page, or its Markdown. */
interface Meant {
  page: PageRecord
  markdown: boolean
}

function pageAt(content: SiteContent, path: string): Meant | undefined {
  const { tree } = content
  // A slug may end as the address of a page's Markdown does; the page comes first.
  const named = tree.byPath(path)
  const exact = named && tree.path(named.id).toLowerCase() === path.toLowerCase()
  const markdown = path !== withoutMd(path) && !exact
  const wanted = markdown ? withoutMd(path) : path
  const page = wanted === '' ? rootPage(content) : tree.byPath(wanted)
  return page && { page, markdown }
}

async function pageOnceAt(
  { db }: Tools,
  { tree, revision }: SiteContent,
  path: string,
): Promise<Meant | undefined> {
  const wanted = withoutMd(path)
  const named = await redirected(db, revision, tree, wanted)
  if (named) return { page: named, markdown: wanted !== path }
  // Here too the slug may have ended so.
  const page = wanted === path ? undefined : await redirected(db, revision, tree, path)
  return page && { page, markdown: false }
}

const withoutMd = (path: string) => path.replace(/\.md$/i, '')

/** A group has no page of its own; its address leads to the first page in it. */
async function toFirstBelow(content: SiteContent, group: PageRecord): Promise<Answer> {
  const first = content.tree
    .documents()
    .find((page) => content.shown(page) && content.tree.ancestors(page.id).some(({ id }) => id === group.id))
  return first ? answerRedirect(pageAddress(content, first), false) : notFound(content)
}

function notFound(content: SiteContent): Promise<Answer> {
  return answerText(404, HTML, renderNotFound(composeSite(content)), pageHeaders(content))
}

/** Headers of every HTML page of a site. */
export function pageHeaders(content?: SiteContent): Record<string, string> {
  return {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(content ? robotsHeader(content) : {}),
  }
}

/** Markdown has no element that says it, so the header also says what a page's own settings are. */
function robotsHeader({ open, tree }: SiteContent, page?: PageRecord): Record<string, string> {
  if (open.site.visibility !== 'public') return { 'x-robots-tag': 'noindex, nofollow' }
  return page && tree.noRobotsIndex(page.id) ? { 'x-robots-tag': 'noindex' } : {}
}

async function loadAll({ db }: Tools, open: OpenSite): Promise<SiteContent[]> {
  return Promise.all(
    open.variants.map((variant) =>
      loadContent(
        db,
        open,
        variant,
        variant.isDefault ? open.base : `${open.base}${encodeURIComponent(variant.path)}/`,
      ),
    ),
  )
}

/** The addresses of the site maps of those sites that search engines may list. */
export function mapsOf({ at }: Tools, sites: Pick<OpenSite, 'site' | 'organizationHostname'>[]): string[] {
  return sites
    .filter(({ site }) => site.visibility === 'public')
    .map(({ site, organizationHostname }) => `${at.site(site, organizationHostname)}sitemap.xml`)
}

function decodePath(path: string): string {
  try {
    return path.split('/').map(decodeURIComponent).join('/')
  } catch {
    // Not the encoding of any path: it is not there under this name either.
    return path
  }
}

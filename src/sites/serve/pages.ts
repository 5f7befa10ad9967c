import { redirected, redirectedElsewhere } from '../../model/sites/redirects.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import { lru } from '../../core/lru.ts'
import { redirectResponse, type SiteResponse, textResponse, weightOf } from './responses.ts'
import { composePage, composeSite, markdownAddress, type Tools } from './compose.ts'
import { loadContent, pageAddress, type SiteContent, variantAddress } from './content.ts'
import { renderNotFound, renderPage } from '../render/page.ts'
import { CONTENT_SECURITY_POLICY } from '../render/page-head.ts'
import { chooseVariant, decodePath, type OpenSite } from './resolve.ts'
import { llmsText, pageMarkdown, robots, siteMap } from './texts.ts'

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'

/** The response for a path within a site. It is the same for every visitor, so that it can be cached. */
export async function respondToPath(tools: Tools, open: OpenSite, path: string): Promise<SiteResponse> {
  if (path === 'sitemap.xml')
    return textResponse(200, 'application/xml; charset=utf-8', siteMap(tools, await loadAll(tools, open)))
  if (path === 'llms.txt') return textResponse(200, PLAIN, llmsText(tools, await loadAll(tools, open)))
  if (path === 'robots.txt') return textResponse(200, PLAIN, robots(mapsOf(tools, [open])))

  const chosen = chooseVariant(open, path)
  if (!chosen) return textResponse(404, PLAIN, 'This site has no spaces.\n')
  const content = await loadContent(tools.db, open, chosen.variant, chosen.base)
  const response = await respondToPage(tools, content, decodePath(chosen.rest))
  if (response.status !== 404) return response

  // A folder of the default space can have the path of another space of the site.
  const main = open.variants.find(({ isDefault }) => isDefault)
  if (!main || main === chosen.variant) return response
  const other = await respondToPage(
    tools,
    await loadContent(tools.db, open, main, open.base),
    decodePath(path),
  )
  return other.status === 404 ? response : other
}

async function respondToPage(tools: Tools, content: SiteContent, path: string): Promise<SiteResponse> {
  const present = pageAt(content, path)
  const elsewhere = present ? undefined : redirectedElsewhere(content.revision, path)
  if (elsewhere) return redirectResponse(elsewhere)
  const { page, markdown } = present ?? (await pageOnceAt(tools, content, path)) ?? {}
  if (!page || !content.shown(page)) return notFound(content)
  if (page.type === 'group') return toFirstBelow(content, page)
  if (page.type !== 'document') return notFound(content)

  const address = markdown ? markdownAddress(content, page) : pageAddress(content, page)
  if (address !== content.base + path.split('/').map(encodeURIComponent).join('/'))
    return redirectResponse(address)
  if (markdown)
    return textResponse(200, MARKDOWN, await pageMarkdown(tools, content, page), robotsHeader(content, page))
  const { view, complete } = await composePage(tools, content, page)
  const response = await textResponse(200, HTML, renderPage(view), pageHeaders(content))
  return complete ? response : { ...response, partial: true }
}

/** What a path names: a page, or the Markdown of a page. */
interface Named {
  page: PageRecord
  markdown: boolean
}

function pageAt(content: SiteContent, path: string): Named | undefined {
  const { tree } = content
  // A slug can end in `.md` too. The page with that slug has precedence over the Markdown of another page.
  const named = tree.byPath(path)
  const exact = named && tree.path(named.id).toLowerCase() === path.toLowerCase()
  const markdown = path !== withoutMd(path) && !exact
  const wanted = markdown ? withoutMd(path) : path
  const page = wanted === '' ? content.root : tree.byPath(wanted)
  return page && { page, markdown }
}

async function pageOnceAt(
  { db }: Tools,
  { tree, revision }: SiteContent,
  path: string,
): Promise<Named | undefined> {
  const wanted = withoutMd(path)
  const named = await redirected(db, revision, tree, wanted)
  if (named) return { page: named, markdown: wanted !== path }
  // The old slug may have ended in `.md`.
  const page = wanted === path ? undefined : await redirected(db, revision, tree, path)
  return page && { page, markdown: false }
}

const withoutMd = (path: string) => path.replace(/\.md$/i, '')

/** A group has no page, so its address redirects to the first page in it. */
async function toFirstBelow(content: SiteContent, group: PageRecord): Promise<SiteResponse> {
  const first = content.tree
    .documents()
    .find((page) => content.shown(page) && content.tree.ancestors(page.id).some(({ id }) => id === group.id))
  return first ? redirectResponse(pageAddress(content, first), false) : notFound(content)
}

/** The page for unknown paths of a space. It is the same for all of them, and a client can make up any number. */
const notFounds = lru<SiteResponse>(16 * 1024 * 1024)
/** Those that are being made, because many requests may wait for the first. */
const making = new Map<string, Promise<SiteResponse>>()

async function notFound(content: SiteContent): Promise<SiteResponse> {
  const { open, variant, base } = content
  const key = `${open.version} ${variant.siteSpaceId} ${base}`
  const known = notFounds.get(key) ?? making.get(key)
  if (known) return known
  const made = textResponse(404, HTML, renderNotFound(composeSite(content)), pageHeaders(content))
  making.set(key, made)
  const response = await made.finally(() => making.delete(key))
  notFounds.set(key, response, weightOf(response))
  return response
}

/** Headers of every HTML page of a site. */
export function pageHeaders(content?: SiteContent): Record<string, string> {
  return {
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(content ? robotsHeader(content) : {}),
  }
}

/** The header repeats the settings of the page, because Markdown has no element for them. */
function robotsHeader({ open, tree }: SiteContent, page?: PageRecord): Record<string, string> {
  if (open.site.visibility !== 'public') return { 'x-robots-tag': 'noindex, nofollow' }
  return page && tree.noRobotsIndex(page.id) ? { 'x-robots-tag': 'noindex' } : {}
}

async function loadAll({ db }: Tools, open: OpenSite): Promise<SiteContent[]> {
  return Promise.all(
    open.variants.map((variant) => loadContent(db, open, variant, variantAddress(open, variant))),
  )
}

/** The URLs of the site maps of the sites that search engines may index. */
export function mapsOf({ urls }: Tools, sites: Pick<OpenSite, 'site' | 'organizationHostname'>[]): string[] {
  return sites
    .filter(({ site }) => site.visibility === 'public')
    .map(({ site, organizationHostname }) => `${urls.site(site, organizationHostname)}sitemap.xml`)
}

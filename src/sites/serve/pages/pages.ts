import { redirected, redirectedElsewhere } from '../../../model/sites/redirects/redirects.ts'
import type { PageRecord } from '../../../core/content/revision.ts'
import { redirectResponse, type SiteResponse, TEXT_TYPE, textResponse } from '../responses.ts'
import { ASSET_CACHE_CONTROL } from '../../assets/assets.ts'
import { themeOf } from './look.ts'
import { THEME_PATH } from '../admit.ts'
import { isPreviewPath, respondWithPreview } from './preview-image.ts'
import { markdownAddress } from '../../../model/sites/published/resolve/addresses.ts'
import { composePage, composeSite } from './compose.ts'
import type { Tools } from '../tools.ts'
import {
  isReadable,
  loadContent,
  pageAddress,
  type SiteContent,
  languageOfSite,
} from '../../../model/sites/published/content/site-content.ts'
import { itemsOfPart, type LevelPart, levelPartAt } from './page-tree.ts'
import { treeItems } from '../../render/page-nav.ts'
import { wordsOf } from '../../render/words/choose.ts'
import { renderEmptyStart, renderPage } from '../../render/page.ts'
import { feedOf, pageOfFeed } from './feed.ts'
import { isNotFoundPage, notFoundWithSuggestions, plainNotFound } from './missing-page.ts'
import { headersOf, pageHeaders, readableBySandbox, robotsHeader } from './page-headers.ts'
import { previewIn } from '../../../model/sites/published/resolve/previews.ts'
import { respondToMachineFile } from '../files/machine-files.ts'
import { decodePath, matchesOf, waysAt } from '../../../model/sites/published/resolve/resolve.ts'
import type { OpenSite } from '../../../model/sites/published/open-site.ts'
import { hiddenUrls } from '../../../model/sites/published/content/hidden-urls.ts'
import { pageMarkdown } from '../files/text-formats.ts'
import { followRedirect } from '../site-redirects.ts'

const HTML = 'text/html; charset=utf-8'
const RSS = 'application/rss+xml; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
/** The address of a page has its HTML and its Markdown. */
const VARY_BY_FORMAT = { vary: 'accept-encoding, accept' }

/** The format that the client prefers at the address of a page. */
export type PageFormat = 'html' | 'markdown'

/** The response for a path within a site. It is the same for all readers of the same version, so it can be cached. */
export async function respondToPath(
  tools: Tools,
  open: OpenSite,
  path: string,
  format: PageFormat = 'html',
): Promise<SiteResponse> {
  const file = await respondToMachineFile(tools, open, path)
  if (file) return file

  const isPage = (at: string) => hasPage(tools, open, at)
  let missing: (() => Promise<SiteResponse>) | undefined
  for await (const way of waysAt(tools.db, open, path, isPage)) {
    if (way.kind === 'renamed') return redirectResponse(open.base + way.path)
    if (way.kind === 'former-default') {
      if (await isPage(way.path)) return redirectResponse(open.base + way.path, false)
      continue
    }
    if (way.kind === 'redirect') {
      const elsewhere = await followRedirect(tools, open, way.match, isPage)
      if (elsewhere) return elsewhere
      continue
    }
    const inSite = await respondInSite(tools, open, way.path, format)
    if (inSite.found) return inSite.found
    missing = inSite.missing
  }
  return missing?.() ?? textResponse(404, TEXT_TYPE, 'There is no page at this address.\n')
}

/** The response of the first space that has something at a path, or else what the most likely one says about a missing page. */
async function respondInSite(
  tools: Tools,
  open: OpenSite,
  path: string,
  format: PageFormat,
): Promise<{ found?: SiteResponse; missing?: () => Promise<SiteResponse> }> {
  let missing: (() => Promise<SiteResponse>) | undefined
  for (const match of matchesOf(open, path)) {
    const { open: seen, variant, rest, base, moved } = await previewIn(tools.db, open, match)
    const content = await loadContent(tools, seen, variant, base)
    const response = await respondInSpace(tools, content, rest, format)
    if (response.status === 200 && moved) return { found: redirectResponse(base + rest) }
    if (response.status !== 404) return { found: response }
    missing ??= async () => {
      if (rest === '' && !moved && !content.root) return emptyStart(tools, content, format)
      const suggests = format === 'html' && isNotFoundPage(response)
      return suggests ? notFoundWithSuggestions(tools, content, rest) : response
    }
  }
  return missing ? { missing } : {}
}

/** The response for a path within a space: a page, its style sheet, or the image of a page. */
async function respondInSpace(
  tools: Tools,
  content: SiteContent,
  path: string,
  format: PageFormat,
): Promise<SiteResponse> {
  if (path.startsWith(THEME_PATH)) return respondWithTheme(tools, content, content.base + path)
  if (isPreviewPath(path)) return respondWithPreview(content, path)
  return respondToPage(tools, content, decodePath(path), format)
}

/** Browsers cache the style sheet for ever. An old address, of a page that was loaded before a change, redirects. */
async function respondWithTheme(
  { urls }: Tools,
  content: SiteContent,
  address: string,
): Promise<SiteResponse> {
  const theme = themeOf(urls, content)
  if (!theme) return textResponse(404, TEXT_TYPE, 'This site has no style sheet of its own.\n')
  if (address !== theme.href) return redirectResponse(theme.href, false)
  const headers = { 'cache-control': ASSET_CACHE_CONTROL }
  return textResponse(200, 'text/css; charset=utf-8', theme.sheet, headers)
}

/** Whether a page that the reader may see is at a path within a site. */
async function hasPage(tools: Tools, open: OpenSite, path: string): Promise<boolean> {
  for (const { variant, rest, base } of matchesOf(open, path)) {
    const content = await loadContent(tools, open, variant, base)
    const within = decodePath(rest)
    const page = pageAt(content, within)?.page
    if ((page && isReadable(content, page)) || levelPartAt(content, within)) return true
  }
  return false
}

async function respondToPage(
  tools: Tools,
  content: SiteContent,
  path: string,
  format: PageFormat,
): Promise<SiteResponse> {
  const present = pageAt(content, path)
  const outside = present ? undefined : redirectedElsewhere(content.revision, path)
  if (outside) {
    const hidden = await hiddenUrls(tools, content.open, [outside])
    return hidden.has(outside) ? plainNotFound(tools, content) : redirectResponse(outside)
  }
  const part = present ? undefined : levelPartAt(content, path)
  const feed = present ? undefined : await respondToFeed(tools, content, path)
  if (feed) return feed
  if (part) return respondToPart(content, part)
  const { page, markdown } = present ?? (await pageOnceAt(tools, content, path)) ?? {}
  if (!page || !content.shown(page)) return plainNotFound(tools, content)
  if (page.type === 'group') return toFirstBelow(tools, content, page)
  if (page.type !== 'document') return plainNotFound(tools, content)

  const address = markdown ? markdownAddress(content, page) : pageAddress(content, page)
  if (address !== content.base + path.split('/').map(encodeURIComponent).join('/'))
    return redirectResponse(address)
  if (markdown || format === 'markdown') {
    const headers = {
      ...robotsHeader(content, page),
      ...readableBySandbox(content.open),
      ...(markdown ? {} : VARY_BY_FORMAT),
    }
    const { text, elsewhere } = await pageMarkdown(tools, content, page)
    return { ...(await textResponse(200, MARKDOWN, text, headers)), elsewhere }
  }
  const composed = await composePage(tools, content, page)
  const headers = { ...headersOf(content, composed.origins), ...VARY_BY_FORMAT }
  const response = await textResponse(200, HTML, renderPage(composed.view), headers)
  const partial = composed.complete ? {} : { partial: true }
  return { ...response, ...partial, ...(composed.elsewhere ? { elsewhere: composed.elsewhere } : {}) }
}

async function respondToFeed(
  tools: Tools,
  content: SiteContent,
  path: string,
): Promise<SiteResponse | undefined> {
  const wanted = pageOfFeed(path)
  const page = wanted === undefined ? undefined : wanted === '' ? content.root : content.tree.byPath(wanted)
  if (!page || page.type !== 'document' || !content.shown(page)) return undefined
  const feed = await feedOf(tools, content, page)
  return feed === undefined ? undefined : textResponse(200, RSS, feed, robotsHeader(content, page))
}

/** Entries of the page tree, for a page that left them out. */
async function respondToPart(content: SiteContent, part: LevelPart): Promise<SiteResponse> {
  const words = wordsOf(languageOfSite(content))
  const items = treeItems(itemsOfPart(content, part), `~branch-${part.parent}-${part.from}`, words)
  const headers = { 'x-robots-tag': 'noindex', ...pageHeaders(content.open) }
  return textResponse(200, HTML, String(items), { ...headers, ...readableBySandbox(content.open) })
}

/** The target of a path: a page, or the Markdown of a page. */
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
async function toFirstBelow(tools: Tools, content: SiteContent, group: PageRecord): Promise<SiteResponse> {
  const first = content.navigation.firstIn(group)
  return first ? redirectResponse(pageAddress(content, first), false) : plainNotFound(tools, content)
}

/** The start page of a space without a page that the reader may see: the site is there, and only its content is not. */
async function emptyStart(tools: Tools, content: SiteContent, format: PageFormat): Promise<SiteResponse> {
  const { title } = content.variant
  const headers = { ...headersOf(content), 'x-robots-tag': 'noindex', ...VARY_BY_FORMAT }
  if (format === 'markdown') return textResponse(200, MARKDOWN, `# ${title}\n`, headers)
  return textResponse(200, HTML, renderEmptyStart(composeSite(tools.urls, content), title), headers)
}

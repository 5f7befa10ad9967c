import { raw } from '../../../core/text/html.ts'
import type { PageRecord } from '../../../core/content/revision.ts'
import type { Urls } from '../../../http/urls.ts'
import { nextTurn } from '../../../core/runtime/turns.ts'
import {
  fileAddress,
  languageOfSite,
  pageAddress,
  type SiteContent,
  variantAddress,
} from '../../../model/sites/published/content/site-content.ts'
import {
  absolute,
  homeOf,
  isIndexed,
  markdownAddress,
} from '../../../model/sites/published/resolve/addresses.ts'
import { BOOK_PATH } from '../files/book.ts'
import { bodyOf } from './body.ts'
import { alternatesOf } from './alternates.ts'
import { feedAddress } from './feed.ts'
import { MCP_PATH } from '../mcp.ts'
import { SWITCH } from '../variant-choice.ts'
import { EVENTS_PATH } from '../visitor-events.ts'
import { structuredData } from './structured-data.ts'
import { lookOf, styledIcon } from './look.ts'
import { tabsOf } from './section-tabs.ts'
import type { Tools } from '../tools.ts'
import { treeOfPage } from './page-tree.ts'
import type { OpenSite } from '../../../model/sites/published/open-site.ts'
import { SEARCH_PATH, TRY_PATH } from './page-headers.ts'
import { previewAddress } from './preview-image.ts'
import type { Elsewhere } from '../../../model/sites/published/resolve/elsewhere.ts'
import type { Previewing } from '../../../model/sites/published/visit.ts'
import { hasWords, wordsOf } from '../../render/words/choose.ts'
import type { PageView, Picture, SiteView } from '../../render/view.ts'
import { DEFAULT_LAYOUT } from '../../../core/content/revision.ts'

/** The view of a page: everything that its HTML shows. It is not complete if some code is not highlighted yet. */
export async function composePage(
  tools: Tools,
  content: SiteContent,
  page: PageRecord,
): Promise<{
  view: PageView
  complete: boolean
  elsewhere: Elsewhere | undefined
  origins: readonly string[] | undefined
}> {
  const { tree } = content
  const body = await bodyOf(tools, content, page)
  const { html, outline, needs, beginning, complete, elsewhere, origins } = body

  await nextTurn()
  const { title, description, icon, emoji, updatedAt, tags } = page
  const address = pageAddress(content, page)
  const site = composeSite(tools.urls, content, page)
  const noIndex = !isIndexed(content.open) || tree.noRobotsIndex(page.id)
  const alternates = await alternatesOf(tools, content, page)
  const view = {
    ...site,
    page: {
      title,
      description,
      icon: icon && styledIcon(content, icon),
      emoji,
      cover: coverOf(content, page),
      updatedAt,
      tags: tags?.map(({ tag }) => tag),
      body: raw(html),
      outline,
      needs: new Set(needs),
    },
    layout: layoutOf(content, page),
    breadcrumbs: breadcrumbsOf(content, page),
    ...neighboursOf(content, page),
    markdownHref: markdownAddress(content, page),
    actions: actionsOf(tools.urls, content, page),
    feedback: content.customization.feedback.enabled,
    ...(tools.countsVisits && isCounted(content.open) ? { events: content.open.base + EVENTS_PATH } : {}),
    ...(isSignedIn(content.open) ? { proxy: content.open.base + TRY_PATH } : {}),
    head: {
      title: title === site.title ? title : `${title} – ${site.title}`,
      description: description || beginning,
      canonical: absolute(tools.urls, content, address),
      robots: noIndex ? 'noindex, nofollow' : undefined,
      image:
        imageOf(tools.urls, content, page) ??
        content.customization.socialPreview.url ??
        absolute(tools.urls, content, previewAddress(content, page)),
      alternates,
      feed: needs.includes('feed') ? { title, href: feedAddress(content, page) } : undefined,
      updatedAt,
    },
  }
  const data = noIndex ? undefined : structuredData(tools.urls, content, view)
  return { view: { ...view, head: { ...view.head, structuredData: data } }, complete, elsewhere, origins }
}

/** The frame around the content of every page. @param current the page shown; absent for errors */
export function composeSite(urls: Urls, content: SiteContent, current?: PageRecord): SiteView {
  const { open, variant } = content
  const language = languageOfSite(content)
  const icon = open.site.icon ? (JSON.parse(open.site.icon) as { emoji?: string }) : {}
  const beside = open.variants.filter(({ section }) => section?.id === variant.section?.id)
  const others = beside.length > 1 ? beside : []
  const path = current && current !== content.root ? content.navigation.path(current.id) : ''
  return {
    language,
    title: content.customization.title ?? open.site.title,
    ...lookOf(urls, content),
    ...(icon.emoji ? { emoji: icon.emoji } : {}),
    ...(open.visit.preview
      ? {
          preview: {
            title: previewTitle(open.visit.preview.of, language),
            leaveHref: `${open.base}~/sign-out`,
          },
        }
      : {}),
    home: content.base,
    assets: open.assets,
    search: content.base + SEARCH_PATH,
    ...(open.sandboxed && open.site.visibility === 'visitor-auth' && open.visit.signFile
      ? { searchList: `${content.base}${SEARCH_PATH}${open.visit.signFile(SEARCH_PATH)}&` }
      : {}),
    tree: treeOfPage(content, current),
    sections: tabsOf(content),
    variants: others.map((other) => ({
      title: other.title,
      // The same page there, which only the link itself looks for.
      href: variantAddress(open, other) + path + SWITCH,
      follow: false,
      current: other.siteSpaceId === variant.siteSpaceId,
    })),
  }
}

/** Returns the title of a preview in the language of the site. */
function previewTitle(of: Previewing, language: string): string {
  const words = wordsOf(language)
  if (of.kind === 'site') return words.previewOfSite
  if (of.kind === 'revision') return words.previewOfRevision(shownTime(of.createdAt, language))
  const title = words.previewOfChangeRequest(of.number)
  return of.subject === '' ? title : `${title}: ${of.subject}`
}

function shownTime(time: string, language: string): string {
  const style = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(hasWords(language) ? language : 'en', style).format(new Date(time))} UTC`
}

function layoutOf({ customization }: SiteContent, page: PageRecord): PageView['layout'] {
  const layout = { ...DEFAULT_LAYOUT, ...page.layout }
  return { ...layout, pagination: layout.pagination && customization.pagination.enabled }
}

/** Whether the pages of a site report events. */
function isCounted(open: OpenSite): boolean {
  return !open.visit.preview && isSignedIn(open)
}

/** Whether the server knows the reader of a request by a script. In an opaque origin, it cannot send their cookie. */
function isSignedIn({ sandboxed, site }: OpenSite): boolean {
  return !(site.visibility === 'visitor-auth' && sandboxed)
}

function actionsOf(
  urls: Urls,
  { customization, open, base, mcpServers }: SiteContent,
  page: PageRecord,
): NonNullable<PageView['actions']> {
  const { markdown, externalAI, mcp, items } = customization.pageActions
  const book = base + BOOK_PATH
  return {
    order: items,
    markdown,
    assistants: externalAI,
    ...(mcp ? { mcp: homeOf(urls, open) + MCP_PATH, mcpServers } : {}),
    ...(customization.pdf.enabled ? { pdf: { page: `${book}?page=${page.id}&only=true`, all: book } } : {}),
  }
}

function breadcrumbsOf(content: SiteContent, page: PageRecord) {
  return content.tree
    .ancestors(page.id)
    .toReversed()
    .map((above) => ({
      title: above.linkTitle ?? above.title,
      ...(above.type === 'document' ? { href: pageAddress(content, above) } : {}),
      icon: above.icon && styledIcon(content, above.icon),
      emoji: above.emoji,
    }))
}

function neighboursOf(content: SiteContent, page: PageRecord): Pick<PageView, 'previous' | 'next'> {
  const { listed, placeInOrder } = content.navigation
  const place = placeInOrder(page.id)
  if (listed[place]?.id !== page.id) return {}
  const link = (other: PageRecord | undefined) =>
    other && { title: other.linkTitle ?? other.title, href: pageAddress(content, other) }
  return { previous: link(listed[place - 1]), next: link(listed[place + 1]) }
}

function coverOf(content: SiteContent, { cover }: PageRecord): PageView['page']['cover'] {
  const image = cover?.ref && pictureOf(content, cover.ref, cover.refDark)
  if (!cover || !image) return undefined
  return { image, position: 50 + cover.yPos / 10, ...(cover.height ? { height: cover.height } : {}) }
}

function pictureOf(
  content: SiteContent,
  ref: PageCover['ref'],
  dark: PageCover['refDark'],
): Picture | undefined {
  const address = (one: PageCover['ref']) => {
    if (one?.kind === 'url') return /^https?:/.test(one.url) ? one.url : undefined
    const file = one?.kind === 'file' ? content.files.get(one.file) : undefined
    return file && fileAddress(content, file)
  }
  const src = address(ref)
  const darkSrc = address(dark)
  return src === undefined ? undefined : { src, ...(darkSrc ? { dark: darkSrc } : {}) }
}

type PageCover = NonNullable<PageRecord['cover']>

function imageOf(urls: Urls, content: SiteContent, { cover }: PageRecord): string | undefined {
  const src = cover?.ref && pictureOf(content, cover.ref, undefined)?.src
  return src?.startsWith('/') ? absolute(urls, content, src) : src
}

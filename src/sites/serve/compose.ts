import { setImmediate } from 'node:timers/promises'
import { raw } from '../../core/html.ts'
import type { PageRecord } from '../../core/content/revision.ts'
import type { Reader } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { fileAddress, linkTo, pageAddress, type SiteContent, variantAddress } from './content.ts'
import { bodyOf } from './body.ts'
import type { Highlighter } from '../highlight/highlight.ts'
import type { NavItem, PageView, Picture, SiteView } from '../render/view.ts'
import { DEFAULT_LAYOUT } from '../../core/content/revision.ts'

/** The services that composing a page uses. */
export interface Tools {
  db: Reader
  urls: Urls
  highlighter: Highlighter
}

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Resolves a turn of the event loop after the call before. The navigation of a site with ten thousand pages takes a
 * tenth of a second for each page, and other requests go between two of them.
 */
export function nextTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => setImmediate())
  return lastTurn
}

/** The view of a page: everything that its HTML shows. It is not complete if some code is not highlighted yet. */
export async function composePage(
  tools: Tools,
  content: SiteContent,
  page: PageRecord,
): Promise<{ view: PageView; complete: boolean }> {
  const { tree } = content
  const { html, outline, needs, complete } = await bodyOf(tools.db, content, page, tools.highlighter)

  await nextTurn()
  const { title, description, icon, emoji, updatedAt, tags } = page
  const address = pageAddress(content, page)
  const site = composeSite(content, page)
  const noIndex = content.open.site.visibility !== 'public' || tree.noRobotsIndex(page.id)
  const view = {
    ...site,
    page: {
      title,
      description,
      icon,
      emoji,
      cover: coverOf(content, page),
      updatedAt,
      tags: tags?.map(({ tag }) => tag),
      body: raw(html),
      outline,
      needs: new Set(needs),
    },
    layout: { tags: true, actions: true, ...DEFAULT_LAYOUT, ...page.layout },
    breadcrumbs: breadcrumbsOf(content, page),
    ...neighboursOf(content, page),
    markdownHref: markdownAddress(content, page),
    head: {
      title: title === site.title ? title : `${title} – ${site.title}`,
      description,
      canonical: absolute(tools.urls, content, address),
      robots: noIndex ? 'noindex, nofollow' : undefined,
      image: imageOf(tools.urls, content, page),
      updatedAt,
    },
  }
  return { view, complete }
}

/** The frame around the content of every page. @param current the page shown; absent for errors */
export function composeSite(content: SiteContent, current?: PageRecord): SiteView {
  const { open, variant } = content
  const icon = open.site.icon ? (JSON.parse(open.site.icon) as { emoji?: string }) : {}
  const others = open.variants.length > 1 ? open.variants : []
  return {
    language: variant.language ?? 'en',
    title: open.site.title,
    ...(icon.emoji ? { emoji: icon.emoji } : {}),
    home: content.base,
    tree: navigation(content, current),
    variants: others.map((other) => ({
      title: other.title,
      href: variantAddress(open, other),
      current: other.siteSpaceId === variant.siteSpaceId,
    })),
  }
}

/** The path of the Markdown of a page. */
export function markdownAddress(content: SiteContent, page: PageRecord): string {
  const isRoot = content.root?.id === page.id
  const path = content.tree.path(page.id).split('/').map(encodeURIComponent).join('/')
  return isRoot ? `${content.base}${path}.md` : `${pageAddress(content, page)}.md`
}

/** The public URL of a path on the host of a site. */
export function absolute(urls: Urls, { open, base }: SiteContent, path: string): string {
  const home = urls.site(open.site, open.organizationHostname)
  // `path` starts with the base at which the site is served, which can differ from its public URL.
  const within = path.slice(open.base.length)
  return base.startsWith(open.base) ? home + within : home
}

function navigation(content: SiteContent, current: PageRecord | undefined): NavItem[] {
  const { tree, shown } = content
  const open = new Set(current ? [current.id, ...tree.ancestors(current.id).map(({ id }) => id)] : [])

  const itemsBelow = (parent: string | null): NavItem[] =>
    tree.children(parent).flatMap((page) => {
      if (page.hidden || !shown(page)) return []
      const item = itemOf(content, page, itemsBelow)
      return item ? [{ ...item, current: page.id === current?.id, expanded: open.has(page.id) }] : []
    })
  return itemsBelow(null)
}

function itemOf(
  content: SiteContent,
  page: PageRecord,
  itemsBelow: (parent: string) => NavItem[],
): NavItem | undefined {
  const { icon, emoji, type } = page
  const title = page.linkTitle ?? page.title
  if (type === 'link') {
    const target = page.target && linkTo(content, page.target)
    return target?.href
      ? { kind: 'link', title, href: target.href, external: target.external ?? false, icon, emoji }
      : undefined
  }
  const children = itemsBelow(page.id)
  if (type === 'group')
    return children.length > 0 ? { kind: 'group', title, icon, emoji, children } : undefined
  if (type !== 'document') return undefined
  return { kind: 'document', title, href: pageAddress(content, page), icon, emoji, children }
}

function breadcrumbsOf(content: SiteContent, page: PageRecord) {
  return content.tree
    .ancestors(page.id)
    .toReversed()
    .map((above) => ({
      title: above.linkTitle ?? above.title,
      ...(above.type === 'document' ? { href: pageAddress(content, above) } : {}),
      icon: above.icon,
      emoji: above.emoji,
    }))
}

function neighboursOf(content: SiteContent, page: PageRecord): Pick<PageView, 'previous' | 'next'> {
  const pages = content.tree.documents().filter(content.shown)
  const place = pages.findIndex(({ id }) => id === page.id)
  const link = (other: PageRecord | undefined) =>
    other && { title: other.linkTitle ?? other.title, href: pageAddress(content, other) }
  if (place < 0) return {}
  return { previous: link(pages[place - 1]), next: link(pages[place + 1]) }
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

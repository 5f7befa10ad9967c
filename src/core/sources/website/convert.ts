import { because } from '../../languages/reasons.ts'
import { assetNames } from '../asset-names.ts'
import { append, need } from '../../data/lists.ts'
import type { Problem } from '../../repository/model.ts'
import { cleanSlug } from '../../text/page-slug.ts'
import { decodeAddress, titleOfName } from '../../text/file-paths.ts'
import { ImportRefused } from '../../repository/refused.ts'
import { uniquifier } from '../../text/slug.ts'
import { cleanAddress, linkAddress, relativeAddress } from '../address-book.ts'
import { importedAnchor } from '../anchor.ts'
import { bytesOf, type ConvertedSource, type SourceFiles } from '../converted.ts'
import { imageExtension, storeDataUrl } from '../data-url.ts'
import { decodeHtml } from '../html/decode.ts'
import { readMarkup } from '../html/markup.ts'
import { convertedOrKept, markupOrNothing } from '../kept-file.ts'
import type { MarkupElement } from '../html/markup.ts'
import type { MarkupContext } from '../html/markup-context.ts'
import { openPage, printHtmlPage } from '../html/page.ts'
import { type ListedPage, printContents } from '../page-list.ts'
import { CRAWL_FILE, type Crawl, type CrawledPage, addressOfPage, pageKey, webAddress } from './addresses.ts'
import { menusIn, namesContent, withoutChrome, withoutElements } from './chrome.ts'
import { baseOf } from './read-page.ts'

/** Where the pages and images of a website are in the repository that it becomes. */
interface SitePaths {
  /** The paths of pages, by the keys of their addresses. */
  pages: ReadonlyMap<string, string>
  /** The paths of images, by their addresses. */
  images: ReadonlyMap<string, string>
}

/**
 * Converts a website that was crawled. The paths of its addresses are the page tree, in the order in which the crawl found
 * the pages. @throws ImportRefused if it has no page
 */
export function convertWebsite(source: SourceFiles): ConvertedSource {
  const crawl = JSON.parse(new TextDecoder().decode(source.get(CRAWL_FILE))) as Crawl
  if (crawl.pages.length === 0) throw new ImportRefused(because('import-website-empty'))
  const converted: ConvertedSource = { files: new Map(), problems: [...crawl.problems] }
  const { tree, nodes, pages } = placeSite(crawl)
  const images = placeImages(crawl, pages)
  const paths: SitePaths = { pages, images }
  for (const { url, file } of crawl.images) converted.files.set(need(images, url), need(source, file))

  const menus = repeatedMenus(crawl.pages, source)
  for (const page of crawl.pages) {
    const to = need(pages, pageKey(new URL(page.url)))
    const node = need(nodes, to)
    const file = { path: page.url, to, title: node.title, bytes: need(source, page.file) }
    const text = convertedOrKept(file, converted, () => {
      const root = readCrawled(page, source)
      const isMenu = new Set([...menusOf(root)].filter(([, menu]) => menus.has(menu)).map(([menu]) => menu))
      const opened = openPage(withoutChrome(withoutElements(root, isMenu)))
      node.title = opened.title ?? node.title
      return printHtmlPage({ ...opened, title: node.title }, contextOf(page, root, paths, converted))
    })
    converted.files.set(to, bytesOf(text))
  }
  const own = new Map([...pages.values()].map((path) => [path, path]))
  converted.files.set('SUMMARY.md', printContents(tree, own))
  append(converted.problems, emptyPages(crawl.pages, pages, converted))
  return converted
}

const readCrawled = ({ file, url, charset }: CrawledPage, source: SourceFiles): MarkupElement =>
  readMarkup(decodeHtml(need(source, file), url, charset), url)

/** Pages that name their content need no guess. */
const menusOf = (root: MarkupElement) =>
  namesContent(root) ? new Map<MarkupElement, string>() : menusIn(root)

/** The texts of menus that at least half of the pages without `main` have. */
function repeatedMenus(pages: readonly CrawledPage[], source: SourceFiles): Set<string> {
  const counts = new Map<string, number>()
  let without = 0
  for (const page of pages) {
    const root = markupOrNothing(() => readCrawled(page, source))
    if (namesContent(root)) continue
    without += 1
    for (const text of new Set(menusIn(root).values())) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const least = Math.max(2, without / 2)
  return new Set([...counts].filter(([, count]) => count >= least).map(([text]) => text))
}

interface SiteNode extends ListedPage {
  children: SiteNode[]
}

/** Makes the page tree from the paths of addresses. The page of the folder that was crawled is the front page. */
function placeSite({ scope, pages }: Crawl) {
  const top: SiteNode = { title: '', children: [] }
  const folders = new Map<string, SiteNode>([['', top]])
  const nodes = new Map<string, SiteNode>()
  const paths = new Map<string, string>()
  const names = new Map<SiteNode, { path: string; free: (name: string) => string }>()
  const nameFolder = (node: SiteNode, path: string) =>
    names.set(node, { path, free: uniquifier(['summary', 'readme'], { caseless: true, longest: 80 }) })
  nameFolder(top, '')

  const open = (segments: readonly string[]): SiteNode => {
    const key = segments.join('/')
    const known = folders.get(key)
    if (known) return known
    const parent = open(segments.slice(0, -1))
    const { path, free } = need(names, parent)
    const name = decodeAddress(segments.at(-1)!).replace(/\.(?:x?html?|php|aspx?|jsp|md)$/i, '')
    const own = `${path}${free(cleanSlug(name))}`
    const node: SiteNode = { title: titleOfName(name), children: [] }
    nameFolder(node, `${own}/`)
    parent.children.push(node)
    folders.set(key, node)
    return node
  }
  for (const { url, aliases } of pages) {
    const address = new URL(url)
    const segments = segmentsOf(address.pathname.slice(scope.length - 1))
    const node = segments.length === 0 ? { title: address.hostname, children: [] } : open(segments)
    const file = segments.length === 0 ? 'README.md' : `${need(names, node).path.slice(0, -1)}.md`
    if (segments.length === 0) top.children.unshift(node)
    node.file = file
    nodes.set(file, node)
    for (const key of [pageKey(address), ...aliases]) paths.set(key, file)
  }
  return { tree: top.children, nodes, pages: paths }
}

const segmentsOf = (path: string) =>
  path
    .replace(/\/(?:index\.x?html?)?$/i, '')
    .split('/')
    .filter((segment) => segment !== '')

function placeImages({ images }: Crawl, pages: ReadonlyMap<string, string>): Map<string, string> {
  const freePath = assetNames(pages.values())
  return new Map(
    images.map(({ url, type }) => {
      const name = decodeAddress(new URL(url).pathname.split('/').at(-1) ?? '').normalize('NFC')
      const extension = imageExtension(type) ?? 'img'
      const stem = name.replace(/\.\w{1,5}$/, '').replace(/[^\p{L}\p{N}._-]+/gu, '-')
      return [url, freePath(stem.slice(0, 80).replace(/^[.-]+/, '') || 'image', `.${extension}`)]
    }),
  )
}

function contextOf(
  { url }: CrawledPage,
  root: MarkupElement,
  { pages, images }: SitePaths,
  converted: ConvertedSource,
): MarkupContext {
  const base = baseOf(root, url)
  const key = pageKey(new URL(url))
  const from = need(pages, key)
  return {
    depth: 0,
    anchors: [],
    link(written) {
      const address = cleanAddress(written)
      const to = webAddress(address, base)
      if (!to) return linkAddress({ paths: new Map() }, from, address)
      const target = pages.get(pageKey(addressOfPage(to)))
      if (target === undefined) return to.href
      const anchor = to.hash.length > 1 ? `#${importedAnchor(to.hash.slice(1))}` : ''
      return target === from && anchor !== '' ? anchor : `${relativeAddress(from, target)}${anchor}`
    },
    image(written) {
      const address = cleanAddress(written)
      if (/^data:/i.test(address)) {
        const stored = storeDataUrl(address, from, converted.files)
        return stored === undefined ? undefined : relativeAddress(from, stored)
      }
      const to = webAddress(address, base)
      const path = to && images.get(to.href)
      return path === undefined ? to?.href : relativeAddress(from, path)
    },
  }
}

/** Pages that scripts fill in the browser have no content in their HTML. */
function emptyPages(
  pages: readonly CrawledPage[],
  paths: ReadonlyMap<string, string>,
  { files }: ConvertedSource,
): Problem[] {
  return pages.flatMap(({ url }) => {
    const text = new TextDecoder().decode(files.get(need(paths, pageKey(new URL(url)))))
    const isEmpty = text.replace(/^#.*$/m, '').trim() === ''
    return isEmpty ? [{ path: url, ...because('page-without-content') }] : []
  })
}

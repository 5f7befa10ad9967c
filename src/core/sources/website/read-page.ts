import { robotsParser } from '../../runtime/libraries.ts'
import { imageAddress } from '../html/inline.ts'
import { decodeHtml } from '../html/decode.ts'
import { findAll, findFirst, readMarkup } from '../html/markup.ts'
import type { MarkupElement } from '../html/markup.ts'
import { checkXml } from '../office/check-xml.ts'
import { mayBePage, addressOfPage, webAddress } from './addresses.ts'

/** The name of the crawler in `robots.txt`. */
const CRAWLER = 'Lectern'

/** The `robots.txt` of a host. */
export interface RobotsFile {
  url: string
  text: string
}

/** The facts about a page that a crawl needs. */
export interface CrawledLinks {
  /** Addresses of the host that may be pages and that `robots.txt` allows, without fragments, each once. */
  links: string[]
  /** Images of every host. */
  images: string[]
  /** The address that the page names as its own, on the same host. */
  canonical?: string
}

const MOST_LINKS = 5000

/** Reads the links of a page. @param url its address after redirects @throws ImportRefused for a page that is too large */
export function readCrawledPage(
  bytes: Uint8Array,
  { url, charset, robots }: { url: string; charset?: string; robots: RobotsFile },
): CrawledLinks {
  const root = readMarkup(decodeHtml(bytes, url, charset), url)
  const base = baseOf(root, url)
  const { host } = new URL(url)
  const found = new Set<string>()
  for (const { attributes } of findAllDeep(root, 'a')) {
    const to = attributes.href === undefined ? undefined : webAddress(attributes.href, base)
    const page = to && addressOfPage(to)
    if (!page || !mayBePage(page, host)) continue
    found.add(page.href)
    if (found.size === MOST_LINKS) break
  }
  const images = new Set<string>()
  for (const { attributes } of findAllDeep(root, 'img')) {
    const to = webAddress(imageAddress(attributes), base)
    if (to) images.add(to.href)
    if (images.size === MOST_LINKS) break
  }
  const link = findFirst(
    root,
    ({ name, attributes }) => name === 'link' && attributes.rel?.toLowerCase() === 'canonical',
  )
  const canonical = link && webAddress(link.attributes.href ?? '', base)
  const links = allowedAddresses(robots, [...found])
  const isUsable = canonical !== undefined && mayBePage(canonical, host)
  return { links, images: [...images], ...(isUsable ? { canonical: canonical.href } : {}) }
}

/** The address that relative links of a page are resolved against. */
export function baseOf(root: MarkupElement, url: string): string {
  const element = findFirst(root, ({ name, attributes }) => name === 'base' && attributes.href !== undefined)
  return (element && webAddress(element.attributes.href ?? '', url)?.href) ?? url
}

/** All elements of a name, also those in one another. */
function findAllDeep(root: MarkupElement, name: string): MarkupElement[] {
  const found: MarkupElement[] = []
  const test = (element: MarkupElement) => {
    if (element.name === name) found.push(element)
    return false
  }
  findAll(root, test)
  return found
}

/** The addresses of one host that its `robots.txt` allows the crawler to request. */
export function allowedAddresses({ url, text }: RobotsFile, addresses: readonly string[]): string[] {
  if (text === '') return [...addresses]
  const robots = robotsParser()(url, text)
  return addresses.filter((address) => {
    const { pathname, search } = new URL(address)
    // The library decides only about the origin of the file, but the rules are those of both schemes.
    return robots.isAllowed(new URL(`${pathname}${search}`, url).href, CRAWLER) !== false
  })
}

/** Reads `robots.txt` except for its rules: the seconds between two requests, and the addresses of sitemaps. */
export function readRobots({ url, text }: RobotsFile): { delay?: number; sitemaps: string[] } {
  const robots = robotsParser()(url, text)
  const delay = robots.getCrawlDelay(CRAWLER)
  const isDelay = typeof delay === 'number' && Number.isFinite(delay) && delay > 0
  return { ...(isDelay ? { delay } : {}), sitemaps: robots.getSitemaps().slice(0, 100) }
}

const MOST_IN_SITEMAP = 10_000

/** The addresses of a sitemap as they are written: of its pages, and of the sitemaps of an index. */
export interface SitemapAddresses {
  pages: string[]
  sitemaps: string[]
}

/** Reads all addresses of a sitemap. @param path its path or URL, for messages @throws ImportRefused as `checkXml` */
export function readSitemapAddresses(bytes: Uint8Array, path: string): SitemapAddresses {
  const text = new TextDecoder().decode(bytes)
  checkXml(text, path)
  const root = readMarkup(text, path, 'xml')
  const places = (parent: string) =>
    findAllDeep(root, parent).map((element) => {
      const place = findFirst(element, ({ name }) => name === 'loc')
      const texts = place?.children.filter((child) => typeof child === 'string') ?? []
      return texts.join('').trim()
    })
  return { pages: places('url'), sitemaps: places('sitemap') }
}

/** The pages and further sitemaps of a sitemap, of which `robots.txt` allows those. @throws ImportRefused as `checkXml` */
export function readSitemap(
  bytes: Uint8Array,
  { url, robots }: { url: string; robots: RobotsFile },
): { links: string[]; sitemaps: string[] } {
  const { pages, sitemaps } = readSitemapAddresses(bytes, url)
  const { host } = new URL(url)
  const ofHost = (addresses: readonly string[]) =>
    addresses.flatMap((address) => {
      const to = webAddress(address, url)
      return to && to.host === host ? [to] : []
    })
  const links = ofHost(pages).filter((to) => mayBePage(to, host))
  return {
    links: allowedAddresses(robots, [...new Set(links.map(({ href }) => href))].slice(0, MOST_IN_SITEMAP)),
    sitemaps: ofHost(sitemaps).map(({ href }) => href),
  }
}

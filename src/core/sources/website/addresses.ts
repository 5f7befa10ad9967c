/** The addresses of a website: which are the same page, and which belong to an import. */

import type { Problem } from '../../repository/model.ts'

/** A page of a website that was crawled. */
export interface CrawledPage {
  /** Its address after redirects. */
  url: string
  /** Other addresses that lead to it, as keys. */
  aliases: string[]
  /** The name of its file. */
  file: string
  /** The encoding that the server named. */
  charset?: string
}

/** The results of a crawl, in the order of discovery, so that pages follow the navigation of the site. */
export interface Crawl {
  /** The path of the folder that was crawled, with a slash at the end. */
  scope: string
  pages: CrawledPage[]
  /** Images by their address. */
  images: { url: string; file: string; type: string }[]
  problems: Problem[]
}

/** The name of the file that describes a crawl, among its files. */
export const CRAWL_FILE = 'crawl.json'

const LONGEST = 2000
/** Endless paths are usually links that repeat the folder of their page. */
const MOST_SEGMENTS = 24

/** The address of a link; undefined for one that is no web address or is too long. */
export function webAddress(address: string, base: string): URL | undefined {
  if (address.length > LONGEST) return undefined
  const url = URL.parse(address.trim(), base)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  if (url.username !== '' || url.password !== '' || url.href.length > LONGEST) return undefined
  return url
}

/** Parameters that only say where a reader came from. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|mc_[ce]id|ref|source)$/

/** An address without its fragment and without parameters that make no other page. */
export function addressOfPage(url: URL): URL {
  const page = new URL(url)
  page.hash = ''
  const ignored = page.searchParams.keys().filter((name) => TRACKING.test(name))
  for (const name of ignored.toArray()) page.searchParams.delete(name)
  return page
}

/** Addresses with the same key are the same page: http or https, with and without a slash or an index file at the end. */
export function pageKey({ host, pathname, search }: URL): string {
  const path = pathname.replace(/\/{2,}/g, '/').replace(/\/(?:index\.x?html?)?$/i, '')
  return `${host}${path}${search}`
}

/** Names of files that are no pages. */
const OTHER_FILE =
  /\.(?!(?:x?html?|php|aspx?|jsp|md|cgi)$)(?:[a-z]{1,4}\d?|json|webp|woff2?|docx|xlsx|pptx|tar\.gz|mp[34]|7z)$/i

/** True for an address that may be a page to crawl: on the host, without a query, and not the name of another file. */
export function mayBePage(url: URL, host: string): boolean {
  const { pathname } = url
  if (url.host !== host || url.search !== '') return false
  if (pathname.split('/').length > MOST_SEGMENTS) return false
  return !OTHER_FILE.test(pathname.slice(pathname.lastIndexOf('/') + 1))
}

/** True for an address in the folder that is imported, or the address of the folder without its slash. */
export function inScope({ pathname }: URL, scope: string): boolean {
  return pathname.startsWith(scope) || `${pathname}/` === scope
}

/**
 * The folder to import. For `/docs/` and for `/docs`, if that page links to others below it, it is `/docs/`; for
 * `/docs/intro`, it is `/docs/` too, the folder of the page.
 */
export function crawlScope(start: URL, links: readonly string[]): string {
  const { pathname, origin } = start
  if (pathname.endsWith('/')) return pathname
  const below = `${origin}${pathname}/`
  if (links.some((link) => link.startsWith(below))) return `${pathname}/`
  return pathname.slice(0, pathname.lastIndexOf('/') + 1)
}

/** Fetches a website for an import: its pages and their images, within limits, as files on the disk. */
import { hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CRAWL_FILE,
  type Crawl,
  type CrawledPage,
  inScope,
  mayBePage,
  pageKey,
  crawlScope,
  webAddress,
} from '../core/sources/website/addresses.ts'
import { append } from '../core/data/lists.ts'
import { ApiError, invalid, unavailable } from '../http/errors.ts'
import { retryAfterOf, withRetry } from '../http/outgoing/retried.ts'
import { CrawlOver } from './crawl-fetch.ts'
import { type CrawlHosts, crawlHosts, type CrawlServices } from './crawl-hosts.ts'
import type { FetchedArchive } from './fetch.ts'
import { faultParameters, type WithReason } from '../core/languages/reasoned.ts'
import { because } from '../core/languages/reasons.ts'

/** The bounds of a crawl. */
export interface CrawlLimits {
  pages: number
  /** Links to follow one after the other, from the first page. */
  depth: number
  images: number
  /** Of all pages and images together. */
  bytes: number
  pageBytes: number
  imageBytes: number
  /** Pages are fetched for this long. */
  pagesMs: number
  /** Pages and images are fetched for this long. */
  totalMs: number
  /** Of one request. */
  requestMs: number
  /** Between two requests to one host. */
  pauseMs: number
}

/** The default limits. */
export const CRAWL_LIMITS: CrawlLimits = {
  pages: 500,
  depth: 16,
  images: 1000,
  bytes: 200 * 1024 * 1024,
  pageBytes: 10 * 1024 * 1024,
  imageBytes: 20 * 1024 * 1024,
  pagesMs: 120_000,
  totalMs: 180_000,
  requestMs: 20_000,
  pauseMs: 100,
}

const MOST_PROBLEMS = 1000
/** A page of endless links would otherwise fill the memory. */
const MOST_WAITING = 20_000

interface FoundPage extends CrawledPage {
  key: string
  canonical?: string
}

interface Crawling extends Pick<CrawlServices, 'onPages'> {
  hosts: CrawlHosts
  limits: CrawlLimits
  folder: string
  start: URL
  scope: string
  queue: { url: URL; depth: number }[]
  seen: Set<string>
  pages: FoundPage[]
  byHash: Map<string, FoundPage>
  images: Set<string>
  bytes: number
  problems: Crawl['problems']
}

/**
 * Crawls a website. Its pages and images are in a folder, which disposing the result removes.
 * @throws 400 if the first page is not one of HTML, or if `robots.txt` forbids it; 503 if it cannot be fetched
 */
export async function crawlWebsite(
  services: CrawlServices,
  address: string,
  limits: CrawlLimits = CRAWL_LIMITS,
): Promise<FetchedArchive> {
  const start = webAddress(address, address)
  if (!start) throw invalid(because('not-website'))
  start.hash = ''
  const folder = await mkdtemp(join(tmpdir(), 'lectern-crawl-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const crawling: Crawling = {
      hosts: crawlHosts(services, limits),
      ...(services.onPages ? { onPages: services.onPages } : {}),
      limits,
      folder,
      start,
      scope: '/',
      queue: [],
      seen: new Set([pageKey(start)]),
      pages: [],
      byHash: new Map(),
      images: new Set(),
      bytes: 0,
      problems: [],
    }
    await crawlPages(crawling)
    const crawl: Crawl = {
      scope: crawling.scope,
      pages: withoutDuplicates(crawling.pages),
      images: await fetchImages(crawling),
      problems: crawling.problems,
    }
    await writeFile(join(folder, CRAWL_FILE), JSON.stringify(crawl))
    return { path: folder, name: start.hostname, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

function addProblem({ problems }: Crawling, path: string, why: WithReason): void {
  if (problems.length < MOST_PROBLEMS) problems.push({ path, ...why })
}

async function crawlPages(crawling: Crawling): Promise<void> {
  const { hosts, limits, queue, pages } = crawling
  const first = await openFirst(crawling)
  crawling.scope = crawlScope(new URL(first.url), first.links)
  addLinks(crawling, first.links, 1)
  addLinks(crawling, await hosts.sitemapLinks(crawling.start), 1)

  for (let at = 0; at < queue.length; at += 1) {
    const { url, depth } = queue[at]!
    crawling.onPages?.(pages.length)
    if (pages.length === limits.pages) return addProblem(crawling, url.href, mostPages(crawling, at))
    if (hosts.isOver(limits.pagesMs)) return addProblem(crawling, url.href, noTime(crawling, at))
    if (crawling.bytes > limits.bytes) return addProblem(crawling, url.href, tooLargeSite(crawling, at))
    try {
      await crawlPage(crawling, url, depth)
    } catch (error) {
      if (error instanceof CrawlOver) return addProblem(crawling, url.href, noTime(crawling, at))
      if (!(error instanceof ApiError)) throw error
      addProblem(crawling, url.href, because('page-not-imported', faultParameters(error)))
    }
  }
}

const mostPages = ({ limits, queue }: Crawling, at: number) =>
  because('website-too-many-pages', { limit: limits.pages, count: queue.length - at })
const noTime = ({ limits, queue }: Crawling, at: number) =>
  because('website-too-slow', { limit: limits.pagesMs / 1000, count: queue.length - at })
const tooLargeSite = ({ limits, queue }: Crawling, at: number) =>
  because('website-too-large', {
    limit: Math.round(limits.bytes / 1024 / 1024),
    count: queue.length - at,
  })

/** The first page, whose faults are those of the import. A website that fails may be imported later. */
async function openFirst(crawling: Crawling): Promise<{ url: string; links: string[] }> {
  const { start } = crawling
  try {
    return await readFirst(crawling)
  } catch (error) {
    throw withRetry(
      error instanceof CrawlOver ? unavailable(because('website-late', { url: start.href })) : error,
    )
  }
}

async function readFirst(crawling: Crawling): Promise<{ url: string; links: string[] }> {
  const { hosts, start } = crawling
  if (!(await hosts.allows(start)))
    throw invalid(because('website-forbidden', { host: start.host, url: start.href }))
  const found = await fetchPage(crawling, start, 0)
  if (found.refused)
    throw invalid(because('website-refused', { url: start.href, ...faultParameters(found.refused) }))
  return { url: found.page.url, links: found.links }
}

async function crawlPage(crawling: Crawling, url: URL, depth: number): Promise<void> {
  const found = await fetchPage(crawling, url, depth)
  if (found.refused) return addProblem(crawling, url.href, found.refused)
  addLinks(crawling, found.links, depth + 1)
}

/** Fetches a page and keeps it, unless it is one that is known. @returns its links, or why it is no page */
async function fetchPage(crawling: Crawling, address: URL, depth: number) {
  const { hosts, limits, folder, pages, byHash, seen } = crawling
  const answer = await hosts.get(address, {
    wanted: /^(?:text\/html|application\/xhtml\+xml)/i,
    maxBytes: limits.pageBytes,
    mayFollow: (to) => depth === 0 || (inScope(to, crawling.scope) && mayBePage(to, crawling.start.host)),
  })
  const { status, url, headers, bytes } = answer
  if (depth === 0 && (status >= 500 || status === 429))
    throw unavailable(
      because('source-failing', { url: url.origin + url.pathname, status }),
      retryAfterOf(headers),
    )
  if (status !== 200) return { refused: because('response-not-success', { status }) }
  if (bytes.length === 0) return { refused: because('response-not-html') }
  crawling.bytes += bytes.length

  const key = pageKey(url)
  const digest = hash('sha256', bytes)
  const known = pages.find((page) => page.key === key) ?? byHash.get(digest)
  if (known) {
    known.aliases.push(pageKey(address), key)
    return { page: known, links: [] }
  }
  const charset = /charset=["']?([\w-]{1,40})/i.exec(headers['content-type'] ?? '')?.[1]
  const encoding = charset === undefined ? {} : { charset }
  const read = await hosts.readPage(bytes, { url: url.href, ...encoding })
  if (read.refused !== undefined)
    return { refused: because('page-not-imported', faultParameters(read.refused)) }

  const file = `page-${pages.length}`
  await writeFile(join(folder, file), bytes)
  const canonical = read.canonical === undefined ? undefined : new URL(read.canonical)
  const page: FoundPage = {
    url: url.href,
    aliases: pageKey(address) === key ? [] : [pageKey(address)],
    file,
    key,
    ...encoding,
    ...(canonical && pageKey(canonical) !== key ? { canonical: pageKey(canonical) } : {}),
  }
  pages.push(page)
  seen.add(key)
  byHash.set(digest, page)
  addImages(crawling, page, read.images ?? [])
  return { page, links: [...(page.canonical && canonical ? [canonical.href] : []), ...(read.links ?? [])] }
}

function addImages(crawling: Crawling, page: FoundPage, addresses: readonly string[]): void {
  const { images, limits } = crawling
  for (const image of addresses) {
    if (images.has(image)) continue
    if (images.size >= limits.images) {
      const most = limits.images.toLocaleString('en')
      addProblem(crawling, page.url, because('images-beyond-limit', { limit: most }))
      return
    }
    images.add(image)
  }
}

function addLinks(crawling: Crawling, links: readonly string[], depth: number): void {
  const { queue, seen, scope, start, limits } = crawling
  for (const link of links) {
    const url = new URL(link)
    const key = pageKey(url)
    if (queue.length >= MOST_WAITING) return
    if (seen.has(key) || !inScope(url, scope) || !mayBePage(url, start.host)) continue
    if (depth > limits.depth) {
      addProblem(crawling, url.href, because('page-too-far', { limit: limits.depth }))
      if (seen.size < MOST_WAITING) seen.add(key)
      continue
    }
    seen.add(key)
    queue.push({ url, depth })
  }
}

/** The pages without those that name another page of the site as theirs. Their addresses lead to that page. */
function withoutDuplicates(pages: readonly FoundPage[]): CrawledPage[] {
  const byKey = new Map(
    pages.flatMap((page) => [page.key, ...page.aliases].map((key) => [key, page] as const)),
  )
  const dropped = new Set<FoundPage>()
  for (const page of pages) {
    const target = page.canonical === undefined ? undefined : byKey.get(page.canonical)
    if (!target || target === page || dropped.has(target)) continue
    append(target.aliases, [page.key, ...page.aliases])
    dropped.add(page)
  }
  return pages
    .filter((page) => !dropped.has(page))
    .map(({ key: _key, canonical: _canonical, ...page }) => page)
}

/** Fetches the images of the pages, of every host whose `robots.txt` allows it. */
async function fetchImages(crawling: Crawling): Promise<Crawl['images']> {
  const { hosts, limits, folder, images } = crawling
  const found: Crawl['images'] = []
  for (const address of images) {
    const url = new URL(address)
    try {
      if (crawling.bytes > limits.bytes) throw new CrawlOver()
      if (!(await hosts.allows(url))) continue
      const { status, headers, bytes } = await hosts.get(url, {
        wanted: /^image\//i,
        maxBytes: limits.imageBytes,
        mayFollow: () => true,
      })
      if (bytes.length === 0) {
        const why =
          status === 200 ? because('response-not-image') : because('response-not-success', { status })
        addProblem(crawling, address, why)
        continue
      }
      crawling.bytes += bytes.length
      const file = `image-${found.length}`
      await writeFile(join(folder, file), bytes)
      const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
      found.push({ url: address, file, type })
    } catch (error) {
      if (error instanceof CrawlOver) {
        addProblem(crawling, address, because('images-after-limit'))
        break
      }
      if (!(error instanceof ApiError)) throw error
      addProblem(crawling, address, because('image-not-fetched', faultParameters(error)))
    }
  }
  return found
}

/** The hosts of one crawl: their rules, and requests to them that follow these rules. */
import { append } from '../core/data/lists.ts'
import type { Party } from '../core/runtime/party.ts'
import type { RobotsFile } from '../core/sources/website/read-page.ts'
import { ApiError, invalid, unavailable } from '../http/errors.ts'
import { retryAfterOf } from '../http/outgoing/retried.ts'
import type { Services } from '../http/route.ts'
import { type TaskKind, ThreadError } from '../threads/pool.ts'
import { threads } from '../threads/threads.ts'
import { type CrawledResponse, crawlFetch, type CrawlFetchOptions } from './crawl-fetch.ts'
import type { CrawlOutcome, CrawlTask } from './read-crawled.ts'
import { faultParameters } from '../core/languages/reasoned.ts'
import { because } from '../core/languages/reasons.ts'

/** The parts of the server that a crawl needs. */
export interface CrawlServices extends Pick<Services, 'fetch' | 'urls'> {
  /** Who imports, and the organization of the space. */
  party: Party
  signal: AbortSignal
  /** Takes the number of pages that are read, while there are more. */
  onPages?(done: number): void
}

/** A request of a crawl. */
interface CrawlRequest {
  /** The media types whose body is read. */
  wanted: RegExp
  maxBytes: number
  /** Whether a redirect within the host may be followed. */
  mayFollow: (to: URL) => boolean
}

/** The hosts of one crawl. */
export interface CrawlHosts {
  isOver(afterMs: number): boolean
  /** True if `robots.txt` allows the address. @throws 503 if that file cannot be read */
  allows(url: URL): Promise<boolean>
  /** @throws CrawlOver when the time is up, 400 for a redirect that is not followed, or as the guarded fetch */
  get(url: URL, request: CrawlRequest): Promise<CrawledResponse>
  /** Reads a page in a thread. The rules of its host (`robots.txt`) are known. */
  readPage(bytes: Buffer, page: { url: string; charset?: string }): Promise<CrawlOutcome>
  /** The pages that the sitemaps of a host list. */
  sitemapLinks(url: URL): Promise<string[]>
}

const RUN_TASK: TaskKind<CrawlTask, CrawlOutcome> = {
  module: new URL('./read-crawled.ts', import.meta.url),
  name: 'runCrawlTask',
  timeMs: 10_000,
}

/** RFC 9309, 2.5: a crawler reads at least 500 kibibytes. */
const ROBOTS_BYTES = 512 * 1024
const SITEMAP_BYTES = 10 * 1024 * 1024
const MOST_SITEMAPS = 10
const MOST_HOSTS = 20
const LONGEST_PAUSE_MS = 5000

interface HostRules extends CrawlOutcome {
  robots: RobotsFile
}

/** Opens the hosts of a crawl. The time of the crawl begins. */
export function crawlHosts(
  { fetch, urls, party, signal }: CrawlServices,
  { totalMs, requestMs, pauseMs }: { totalMs: number; requestMs: number; pauseMs: number },
): CrawlHosts {
  const start = performance.now()
  const rules = new Map<string, Promise<HostRules>>()
  const pauses = new Map<string, number>()
  const options: Omit<CrawlFetchOptions, 'follow'> = {
    fetch,
    signal,
    userAgent: `Lectern (+${urls.api('/')})`,
    deadline: start + totalMs,
    requestMs,
    pauseMs: (host) => pauses.get(host) ?? pauseMs,
  }
  const run = (task: CrawlTask) => threads.run(RUN_TASK, task, { party, signal }).catch(refusedBy)

  async function within(url: URL, request: CrawlRequest, isAllowed: (to: URL) => Promise<boolean>) {
    return crawlFetch(url, request, {
      ...options,
      async follow(from, to) {
        if (to.host !== from.host)
          throw invalid(because('website-other-host', { url: from.href, origin: to.origin }))
        if (!request.mayFollow(to) || !(await isAllowed(to)))
          throw invalid(because('website-outside', { url: from.href, path: to.pathname }))
      },
    })
  }

  async function readRules(url: URL): Promise<HostRules> {
    const at = new URL('/robots.txt', url)
    const request = { wanted: /^text\//i, maxBytes: ROBOTS_BYTES, mayFollow: () => true }
    const { status, headers, bytes } = await within(at, request, () => Promise.resolve(true))
    // RFC 9309, 2.3.1: without the file everything is allowed, and while the server fails nothing is.
    if (status >= 500 || status === 429)
      throw unavailable(because('website-unreadable', { url: at.href, status }), retryAfterOf(headers))
    const robots = { url: at.href, text: status === 200 ? new TextDecoder().decode(bytes) : '' }
    const outcome = robots.text === '' ? {} : await run({ kind: 'robots', robots })
    if (outcome.refused !== undefined)
      throw unavailable(
        because('website-rules-unread', { url: at.href, ...faultParameters(outcome.refused) }),
      )
    pauses.set(url.host, Math.min(Math.max((outcome.delay ?? 0) * 1000, pauseMs), LONGEST_PAUSE_MS))
    return { ...outcome, robots }
  }

  function rulesOf(url: URL): Promise<HostRules> {
    const known = rules.get(url.host)
    if (known) return known
    if (rules.size === MOST_HOSTS) throw invalid(because('too-many-hosts', { limit: MOST_HOSTS }))
    const own = readRules(url)
    rules.set(url.host, own)
    return own
  }

  async function allows(url: URL): Promise<boolean> {
    const { robots } = await rulesOf(url)
    if (robots.text === '') return true
    const { links } = await run({ kind: 'allowed', robots, addresses: [url.href] })
    return links?.length === 1
  }

  async function sitemapLinks(url: URL): Promise<string[]> {
    const { robots, sitemaps = [] } = await rulesOf(url)
    const named = sitemaps.filter((one) => URL.parse(one)?.host === url.host)
    const waiting = named.length > 0 ? named : [new URL('/sitemap.xml', url).href]
    const links: string[] = []
    for (let at = 0; at < Math.min(waiting.length, MOST_SITEMAPS); at += 1) {
      const request = { wanted: /xml|^text\/plain/i, maxBytes: SITEMAP_BYTES, mayFollow: () => true }
      // A sitemap only helps to find pages, so its faults are none of the import.
      const answer = await within(new URL(waiting[at]!), request, allows).catch(ignoreFault)
      if (!answer || answer.bytes.length === 0) continue
      const found = await run({ kind: 'sitemap', bytes: answer.bytes, url: answer.url.href, robots })
      append(links, found.links ?? [])
      append(waiting, found.sitemaps ?? [])
    }
    return links
  }

  return {
    isOver: (afterMs) => performance.now() - start > afterMs,
    allows,
    get: (url, request) => within(url, request, allows),
    async readPage(bytes, page) {
      const { robots } = await rulesOf(new URL(page.url))
      return run({ kind: 'page', bytes, robots, ...page })
    },
    sitemapLinks,
  }
}

/** Returns a refusal if a thread ran out of time or memory. Other faults are those of the import. */
function refusedBy(error: unknown): CrawlOutcome {
  const fault = error instanceof ThreadError ? error.fault : undefined
  if (fault === 'time' || fault === 'memory') return { refused: because('response-unreadable') }
  throw error
}

function ignoreFault(error: unknown): undefined {
  if (error instanceof ApiError) return undefined
  throw error
}

import { setTimeout as sleep } from 'node:timers/promises'
import { invalid } from '../http/errors.ts'
import type { Fetched } from '../http/outgoing/guarded-fetch.ts'
import type { Services } from '../http/route.ts'
import { ThreadError } from '../threads/pool.ts'
import { inTurnAtHost } from './crawl-host.ts'
import { because } from '../core/languages/reasons.ts'

/** A response that was read, after redirects within its host. */
export interface CrawledResponse {
  status: number
  url: URL
  headers: Record<string, string>
  /** Empty unless the status is 200 and the type is one of those that are wanted. */
  bytes: Buffer
}

/** How a crawl requests addresses. */
export interface CrawlFetchOptions {
  fetch: Services['fetch']
  userAgent: string
  /** When the crawl has to end, by `performance.now()`. */
  deadline: number
  signal: AbortSignal
  /** The pause after a request to a host. */
  pauseMs: (host: string) => number
  /** Whether a redirect may be followed. @throws to refuse it */
  follow: (from: URL, to: URL) => Promise<void>
}

const TIMEOUT_MS = 20_000
const MOST_REDIRECTS = 5
const LONGEST_WAIT_MS = 10_000

/** The crawl has no time left. */
export class CrawlOver extends Error {}

/**
 * Requests an address when it is its turn, and follows redirects that are allowed. A host that has too many requests is
 * asked once more after a pause.
 * @param wanted the media types whose body is read
 * @throws CrawlOver when the time is up
 */
export async function crawlFetch(
  address: URL,
  { wanted, maxBytes }: { wanted: RegExp; maxBytes: number },
  options: CrawlFetchOptions,
): Promise<CrawledResponse> {
  let url = address
  let isRetried = false
  for (let redirects = 0; ;) {
    const answer = await requestOnce(url, wanted, maxBytes, options)
    if ((answer.status === 429 || answer.status === 503) && !isRetried) {
      isRetried = true
      const seconds = Number(answer.headers['retry-after'])
      const wait = Math.min(seconds > 0 ? seconds * 1000 : 2000, LONGEST_WAIT_MS)
      await sleep(wait, undefined, { signal: options.signal }).catch(() => Promise.reject(clientGone()))
      continue
    }
    const to = redirectTarget(answer, url)
    if (!to) return answer
    redirects += 1
    if (redirects > MOST_REDIRECTS)
      throw invalid(because('too-many-redirects', { url: address.href, limit: MOST_REDIRECTS }))
    await options.follow(url, to)
    url = to
  }
}

/** Ends the whole crawl, unlike a fault of one page. */
const clientGone = () => new ThreadError('aborted', 'The client has left')

function redirectTarget({ status, headers }: CrawledResponse, url: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) return undefined
  const to = URL.parse(headers.location, url)
  if (!to) throw invalid(because('redirect-invalid', { url: url.href }))
  return to
}

function requestOnce(
  url: URL,
  wanted: RegExp,
  maxBytes: number,
  { fetch, userAgent, deadline, signal, pauseMs }: CrawlFetchOptions,
): Promise<CrawledResponse> {
  return inTurnAtHost(url.host, pauseMs(url.host), async () => {
    if (signal.aborted) throw clientGone()
    const left = Math.floor(deadline - performance.now())
    if (left <= 0) throw new CrawlOver()
    const answer = await fetch(
      url.href,
      { maxBytes, timeoutMs: Math.min(TIMEOUT_MS, left), maxRedirects: 'none' },
      { headers: { 'user-agent': userAgent, accept: 'text/html,application/xhtml+xml,*/*;q=0.5' } },
    )
    return { status: answer.status, url, headers: answer.headers, bytes: await crawledBody(answer, wanted) }
  })
}

async function crawledBody(answer: Fetched, wanted: RegExp): Promise<Buffer> {
  const type = answer.headers['content-type'] ?? ''
  if (answer.status === 200 && wanted.test(type)) return answer.bytes()
  answer.body.destroy()
  return Buffer.alloc(0)
}

import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, invalid } from '../http/errors.ts'
import type { Fetched } from '../http/outgoing/guarded-fetch.ts'
import { retryAfterOf } from '../http/outgoing/retried.ts'
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
  /** The limit of one request. */
  requestMs: number
  signal: AbortSignal
  /** The pause after a request to a host. */
  pauseMs: (host: string) => number
  /** Whether a redirect may be followed. @throws to refuse it */
  follow: (from: URL, to: URL) => Promise<void>
}

const MOST_REDIRECTS = 5
const LONGEST_WAIT_MS = 10_000

/** The crawl has no time left. */
export class CrawlOver extends Error {}

/** How often a request is repeated whose connection broke off, or to which the host returned that it failed. */
const RETRIES = 2
const RETRY_PAUSE_MS = 200
/** The faults of a connection after which the same request may succeed a moment later. */
const BROKEN_OFF = new Set(['fetch-failed', 'fetch-failed-with-code'])

/**
 * Requests an address when it is its turn, and follows redirects that are allowed. A request that fails is repeated. A
 * host that has too many requests gets one more request after the pause in its response.
 * @param wanted the media types whose body is read
 * @throws CrawlOver when the time is up
 */
export async function crawlFetch(
  address: URL,
  { wanted, maxBytes }: { wanted: RegExp; maxBytes: number },
  options: CrawlFetchOptions,
): Promise<CrawledResponse> {
  let url = address
  for (let redirects = 0; ;) {
    const answer = await requestRetried(url, wanted, maxBytes, options)
    const to = redirectTarget(answer, url)
    if (!to) return answer
    redirects += 1
    if (redirects > MOST_REDIRECTS)
      throw invalid(because('too-many-redirects', { url: address.href, limit: MOST_REDIRECTS }))
    await options.follow(url, to)
    url = to
  }
}

async function requestRetried(
  url: URL,
  wanted: RegExp,
  maxBytes: number,
  options: CrawlFetchOptions,
): Promise<CrawledResponse> {
  for (let failures = 0; ; failures += 1) {
    const answer = await requestOnce(url, wanted, maxBytes, options).catch((error: unknown) => {
      if (failures === RETRIES || !isBrokenOff(error)) throw error
    })
    const pause = pauseAfter(answer, failures)
    // Whatever comes after the end of the crawl is of no use.
    const isPointless = pause === undefined || performance.now() + pause >= options.deadline
    if (answer && isPointless) return answer
    await sleep(pause, undefined, { signal: options.signal }).catch(() => Promise.reject(clientGone()))
  }
}

const isBrokenOff = (error: unknown) => error instanceof ApiError && BROKEN_OFF.has(error.reason ?? '')

/** How long to wait before a request is repeated; undefined if it is not. */
function pauseAfter(answer: CrawledResponse | void, failures: number): number | undefined {
  const usual = RETRY_PAUSE_MS * 2 ** failures
  if (!answer) return usual
  const { status, headers } = answer
  if (status === 429 || status === 503)
    return failures > 0 ? undefined : Math.min((retryAfterOf(headers) ?? 2) * 1000, LONGEST_WAIT_MS)
  return status >= 500 && failures < RETRIES ? usual : undefined
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
  { fetch, userAgent, deadline, requestMs, signal, pauseMs }: CrawlFetchOptions,
): Promise<CrawledResponse> {
  return inTurnAtHost(url.host, pauseMs(url.host), async () => {
    if (signal.aborted) throw clientGone()
    const left = Math.floor(deadline - performance.now())
    if (left <= 0) throw new CrawlOver()
    const answer = await fetch(
      url.href,
      { maxBytes, timeoutMs: Math.min(requestMs, left), maxRedirects: 'none', signal },
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

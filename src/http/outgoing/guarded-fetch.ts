import { sizeLimit } from '../../core/text/byte-size.ts'
import { Readable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { ApiError, invalid, tooLarge, unavailable } from '../errors.ts'
import { isInRanges, parseAddress, type Ranges } from '../limits/networks.ts'
import { connectTo, resolveHost } from './connect.ts'
import type { Connection, Lookup, Outgoing } from './connect.ts'
import { because } from '../../core/languages/reasons.ts'

/** Which addresses a fetch may reach, and how much it may receive. */
export interface FetchLimits {
  /** Ranges that may be reached even though they are not public. */
  allow: Ranges
  /** The largest response body. */
  maxBytes: number
  /** The time for everything: DNS, redirects, and the whole body. */
  timeoutMs: number
  /** The number of redirects to follow; 5 by default. With `none`, a redirect is a response like others. */
  maxRedirects?: number | 'none'
  /** Whether a host outside the allowed ranges must be reached by https, because the request has a secret. */
  isSecret?: boolean
  /** Ends the fetch and its body with the reason of the signal, such as `clientLeft()`. */
  signal?: AbortSignal
  /** Resolves the addresses of a host; the system's resolver by default. */
  lookup?: Lookup
}

/** What one fetch may take. The installation decides which addresses it may reach. */
export type FetchBounds = Omit<FetchLimits, 'allow' | 'lookup'>

/** A response; `url` is its address after redirects. The caller must read or destroy the body. */
export interface Fetched {
  status: number
  /** Names are in lower case; the values of a repeated header are joined by commas. */
  headers: Record<string, string>
  url: string
  /** Fails with 413 past `maxBytes` and with 503 when the time is up. */
  body: Readable
  bytes(): Promise<Buffer>
}

/**
 * Fetches an address that a user gave, by http or https. Every IP address of the host must be public or in an allowed
 * range, and each redirect is checked again. The connection goes to an address that was checked, so DNS rebinding has no
 * effect. Throws `ApiError`: 400 if the address is refused, 413 if the body is too large, 503 if the fetch fails.
 */
export async function guardedFetch(
  address: string | URL,
  limits: FetchLimits,
  outgoing: Outgoing = {},
): Promise<Fetched> {
  const late = AbortSignal.timeout(limits.timeoutMs)
  const signal = limits.signal ? AbortSignal.any([late, limits.signal]) : late
  signal.throwIfAborted()
  let url = parseUrl(address)
  let request = outgoing

  for (let redirects = 0; ; redirects++) {
    const connection = await reach(url, request, limits, signal)
    const next = limits.maxRedirects === 'none' ? undefined : redirectOf(connection, url)
    if (!next) return bounded(connection, url, limits, signal, request.method !== 'HEAD')

    connection.close()
    if (redirects === (limits.maxRedirects ?? 5))
      throw invalid(because('too-many-redirects', { url: shown(url), limit: limits.maxRedirects ?? 5 }))
    request = redirected(request, connection.status, next.origin === url.origin)
    url = next
  }
}

/** @throws 400 for an address that is never fetched, whatever it resolves to */
function parseUrl(address: string | URL, base?: URL): URL {
  if (!URL.canParse(String(address), base?.href)) throw invalid(because('address-invalid'))
  const url = new URL(address, base)

  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid(because('address-scheme', { scheme: url.protocol }))
  }
  if (url.username !== '' || url.password !== '') throw invalid(because('address-with-password'))

  return url
}

async function reach(
  url: URL,
  outgoing: Outgoing,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<Connection> {
  try {
    const addresses = await withSignal(resolveHost(url.hostname, limits.lookup), signal)
    // The message does not name the address, because it would tell the caller how internal names resolve.
    if (!addresses.every((found) => mayReach(found, limits.allow)))
      throw invalid(because('address-private', { url: shown(url) }))
    if (limits.isSecret && url.protocol === 'http:' && !addresses.every((found) => isAllowed(found, limits)))
      throw invalid(because('address-plain', { url: shown(url) }))

    return await connectTo(url, addresses, outgoing, signal)
  } catch (error) {
    throw explained(error, url, limits, signal)
  }
}

function withSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })

  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

/** True if a fetch may reach an IP address: it is public or in one of the ranges. */
export function mayReach(text: string, allow: Ranges): boolean {
  const address = parseAddress(text)
  if (!address) return false
  if (isInRanges(address, allow)) return true
  if (address.range() !== 'unicast') return false

  // All public IPv6 addresses are in 2000::/3 (RFC 4291 and the IANA registry). The rest is reserved.
  return address.kind() === 'ipv4' || address.match(publicIPv6, 3)
}

/** True if an IP address is in a range that the operator allows, which is a network of their own. */
function isAllowed(text: string, { allow }: FetchLimits): boolean {
  const address = parseAddress(text)
  return address !== undefined && isInRanges(address, allow)
}

const publicIPv6 = ipaddr.IPv6.parse('2000::')

/** Returns the address that a redirect leads to, as its server writes it; undefined for other responses. */
export function locationOf({ status, headers }: Pick<Fetched, 'status' | 'headers'>): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? headers['location'] : undefined
}

function redirectOf(connection: Connection, url: URL): URL | undefined {
  const location = locationOf(connection)
  if (location === undefined) return undefined

  try {
    return parseUrl(location, url)
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Headers that hold no secret. Only these follow a redirect to another origin. */
const harmless = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

function redirected(outgoing: Outgoing, status: number, sameOrigin: boolean): Outgoing {
  const named = Object.entries(outgoing.headers ?? {})
  const headers = Object.fromEntries(named.filter(([name]) => sameOrigin || harmless.has(name.toLowerCase())))
  // RFC 9110, 15.4: 307 and 308 keep the method and the body. The others become GET, as in browsers.
  if (status === 307 || status === 308) return { ...outgoing, headers }

  return { headers, method: outgoing.method === 'HEAD' ? 'HEAD' : 'GET' }
}

function bounded(
  connection: Connection,
  url: URL,
  limits: FetchLimits,
  signal: AbortSignal,
  hasBody: boolean,
): Fetched {
  const { status, headers } = connection
  const tooMuch = () =>
    tooLarge(because('response-too-large', { url: shown(url), limit: sizeLimit(limits.maxBytes) }))
  if (hasBody && Number(headers['content-length']) > limits.maxBytes) {
    connection.close()
    throw tooMuch()
  }
  // The request accepts no encoding. Decoding a response anyway would let a small body grow beyond the limit.
  if (!['', 'identity'].includes(headers['content-encoding'] ?? '')) {
    connection.close()
    throw unavailable(because('response-encoding', { url: shown(url) }))
  }

  async function* counted() {
    let size = 0
    try {
      for await (const chunk of connection.body as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > limits.maxBytes) throw tooMuch()
        yield chunk
      }
    } catch (error) {
      throw explained(error, url, limits, signal)
    }
  }
  const body = Readable.from(counted(), { objectMode: false })
  body.once('close', () => connection.close())

  return { status, headers, url: url.href, body, bytes: async () => Buffer.concat(await body.toArray()) }
}

function explained(error: unknown, url: URL, limits: FetchLimits, signal: AbortSignal): ApiError {
  if (error instanceof ApiError) return error
  const ended = signal.reason as unknown
  if (ended instanceof ApiError) return ended
  if (signal.aborted)
    return Object.assign(
      unavailable(because('response-late', { url: shown(url), seconds: limits.timeoutMs / 1000 })),
      { cause: ended },
    )

  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOTFOUND')
    return Object.assign(invalid(because('host-unknown', { host: url.hostname })), { cause: error })
  // Only the code: the message of the system has the IP address.
  return unavailable(
    typeof code === 'string'
      ? because('fetch-failed-with-code', { url: shown(url), code })
      : because('fetch-failed', { url: shown(url) }),
  )
}

/** An address for messages, without its query, which can hold a secret. */
function shown(url: URL): string {
  return url.origin + url.pathname
}

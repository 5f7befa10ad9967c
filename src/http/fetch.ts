import { Readable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { ApiError, invalid, tooLarge, unavailable } from './errors.ts'
import { connectTo, resolveHost } from './reach.ts'
import type { Connection, Lookup, Outgoing } from './reach.ts'

/** Ranges of addresses: the first address and the number of leading bits that count. */
export type Ranges = [ipaddr.IPv4 | ipaddr.IPv6, number][]

/** Reads a comma-separated list of ranges or single addresses, such as `10.0.0.0/8, ::1`; throws naming a wrong one. */
export function parseRanges(list: string): Ranges {
  const entries = list.split(',').map((entry) => entry.trim())

  return entries.filter((entry) => entry !== '').map(parseRange)
}

function parseRange(entry: string): Ranges[number] {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  if (!ipaddr.IPv4.isValidFourPartDecimal(entry) && !ipaddr.IPv6.isValid(entry)) {
    throw new Error(`"${entry}" is not a range of addresses such as 10.0.0.0/8`)
  }
  const address = ipaddr.parse(entry)

  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** What a fetch may reach and how much it may take. */
export interface FetchLimits {
  /** Ranges that may be reached although they are not public. */
  allow: Ranges
  /** Bytes of the answer's body. */
  maxBytes: number
  /** Milliseconds for everything: look-up, redirects, and reading the body to its end. */
  timeoutMs: number
  /** Redirects that are followed; 5 by default. */
  maxRedirects?: number
  /** Finds the addresses of a host; the system's resolver by default. */
  lookup?: Lookup
}

/** An answer; `url` is where it came from in the end. The body must be read or destroyed. */
export interface Fetched {
  status: number
  /** Names are lower case; values of a repeated header are joined by commas. */
  headers: Record<string, string>
  url: string
  /** Fails with 413 past `maxBytes` and with 503 when the time is up. */
  body: Readable
  bytes(): Promise<Buffer>
}

/**
 * The only way out to addresses that users give. Only http and https; every address that the host has must be public
 * or in an allowed range, on every redirect again, and the connection goes to the address that was checked, so a name
 * cannot change its meaning in between. Throws `ApiError`: 400 for what is refused, 413, and 503 for what fails there.
 */
export async function guardedFetch(
  address: string | URL,
  limits: FetchLimits,
  outgoing: Outgoing = {},
): Promise<Fetched> {
  const signal = AbortSignal.timeout(limits.timeoutMs)
  let url = parseAddress(address)
  let request = outgoing

  for (let redirects = 0; ; redirects++) {
    const connection = await reach(url, request, limits, signal)
    const next = redirectOf(connection, url)
    if (!next) return bounded(connection, url, limits, signal, request.method !== 'HEAD')

    connection.close()
    if (redirects === (limits.maxRedirects ?? 5)) throw invalid(`${shown(url)} redirects too often`)
    request = redirected(request, connection.status, next.origin === url.origin)
    url = next
  }
}

/** Throws 400 for an address that is never fetched, whatever it resolves to. */
function parseAddress(address: string | URL, base?: URL): URL {
  if (!URL.canParse(String(address), base?.href)) throw invalid('The address is not a valid URL')
  const url = new URL(address, base)

  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid(`Only http and https addresses are fetched, not "${url.protocol}"`)
  }
  if (url.username !== '' || url.password !== '')
    throw invalid('The address must not hold a user name or password')

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
    const refused = addresses.find((found) => !isAllowed(found, limits.allow))
    if (refused !== undefined) {
      throw invalid(`${shown(url)} is not fetched: its address ${refused} is not public and not allowed`)
    }

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

/** Whether an address is public, or in one of the ranges; what stands for an IPv4 address is judged as that one. */
export function isAllowed(address: string, allow: Ranges): boolean {
  const parsed = judged(address)
  if (!parsed) return false
  if (allow.some(([first, bits]) => first.kind() === parsed.kind() && parsed.match(first, bits))) return true
  if (parsed.range() !== 'unicast') return false

  // All of IPv6 that is public lies in 2000::/3 (RFC 4291, IANA); the rest is reserved, not merely unused.
  return parsed.kind() === 'ipv4' || parsed.match(publicIPv6, 3)
}

const publicIPv6 = ipaddr.IPv6.parse('2000::')

function judged(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address)
  // Through URL, for it writes every form of an IPv6 address the same way and knows no zones.
  if (!address.includes(':') || !URL.canParse(`http://[${address}]/`)) return undefined
  const parsed = ipaddr.IPv6.parse(new URL(`http://[${address}]/`).hostname.slice(1, -1))

  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed
}

function redirectOf(connection: Connection, url: URL): URL | undefined {
  const { status, headers } = connection
  const location = headers['location']
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined

  try {
    return parseAddress(location, url)
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Headers that are no secret; only these follow a redirect to another origin. */
const harmless = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

function redirected(outgoing: Outgoing, status: number, sameOrigin: boolean): Outgoing {
  const named = Object.entries(outgoing.headers ?? {})
  const headers = Object.fromEntries(named.filter(([name]) => sameOrigin || harmless.has(name.toLowerCase())))
  // RFC 9110 15.4: 307 and 308 keep the method and the body, the others become GET as browsers do it.
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
  const tooMuch = () => tooLarge(`The answer of ${shown(url)} is larger than ${limits.maxBytes} bytes`)
  if (hasBody && Number(headers['content-length']) > limits.maxBytes) {
    connection.close()
    throw tooMuch()
  }
  // We ask for no encoding; to decode one all the same would let a small answer grow past every bound.
  if (!['', 'identity'].includes(headers['content-encoding'] ?? '')) {
    connection.close()
    throw unavailable(`${shown(url)} answers with an encoding that was not asked for`)
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
  if (signal.aborted)
    return unavailable(`${shown(url)} did not answer in full within ${limits.timeoutMs / 1000} s`)

  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOTFOUND') return invalid(`There is no host "${url.hostname}"`)
  return unavailable(`${shown(url)} cannot be fetched: ${String(code ?? error)}`)
}

/** An address as messages show it: a query may hold a secret. */
function shown(url: URL): string {
  return url.origin + url.pathname
}

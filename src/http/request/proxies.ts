import type { IncomingMessage } from 'node:http'
import { isInRanges, parseAddress, type Ranges } from '../limits/networks.ts'

/** The headers by which proxies pass on the address of the client. */
export const FORWARDING_HEADERS = ['x-forwarded-for', 'forwarded'] as const
export type ForwardingHeader = (typeof FORWARDING_HEADERS)[number]

/** Where a request comes from: the IP address of the client, and the host that the client asked for. */
export interface Origin {
  ip: string
  host: string
}

/** The number of proxies to look through. Of a longer header, only the last elements are read. */
const HOPS_MAX = 32

/**
 * Finds the client of a request behind proxies: the last address that is not that of a trusted proxy. Only what a
 * trusted proxy added is believed, so that a client cannot choose its address.
 * @param header the header to read; by default `X-Forwarded-For`, or if it is absent, `Forwarded` (RFC 7239)
 */
export function originReader(trusted: Ranges, header?: ForwardingHeader) {
  const isTrusted = (ip: string) => {
    const address = parseAddress(ip)
    return address !== undefined && isInRanges(address, trusted)
  }

  return function originOf({ headers, socket }: IncomingMessage): Origin {
    const origin = { ip: socket.remoteAddress ?? '', host: headers.host ?? '' }
    const used = header ?? (headers['x-forwarded-for'] === undefined ? 'forwarded' : 'x-forwarded-for')
    const value = headers[used]
    if (value === undefined || !isTrusted(origin.ip)) return origin

    const forwardedHost = used === 'x-forwarded-for' ? headers['x-forwarded-host'] : undefined
    if (forwardedHost !== undefined) [origin.host = ''] = lastElements(String(forwardedHost), 1)
    const hops = lastElements(String(value), HOPS_MAX)
    // The last element comes from the proxy that connected. Each trusted address vouches for the element before its own.
    for (const hop of hops.map(used === 'forwarded' ? forwardedHop : plainHop)) {
      if (hop.host !== undefined) origin.host = hop.host
      if (hop.ip === undefined) break
      origin.ip = hop.ip
      if (!isTrusted(hop.ip)) break
    }
    return origin
  }
}

interface Hop {
  /** Undefined if the proxy hides the address, or if the text is not an address. */
  ip: string | undefined
  host?: string | undefined
}

const plainHop = (text: string): Hop => ({ ip: addressIn(text) })

/** The length of `for=`, the shortest pair that counts. */
const SHORTEST_PAIR = 4

/**
 * An element of `Forwarded`, such as `for="[2001:db8::1]:4711";host=docs.example.com`. Of pairs with one name, the last
 * counts. The others are not kept: a client can send thousands of them.
 */
function forwardedHop(element: string): Hop {
  const values: { for?: string; host?: string } = {}
  eachPart(element, ';', (pair) => {
    if (pair.length < SHORTEST_PAIR) return
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim().toLowerCase()
    if (name !== 'for' && name !== 'host') return
    const value = pair.slice(at + 1).trim()
    values[name] = value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value
  })
  return { ip: addressIn(values.for ?? ''), host: values.host }
}

/**
 * Calls a function with each part between the separators that are outside quotation marks, in one pass. The parts are not
 * collected, because a client may write any number of them.
 */
function eachPart(text: string, separator: ',' | ';', take: (part: string) => void): void {
  let start = 0
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (isQuoted && char === '\\') i++
    else if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && char === separator) {
      take(text.slice(start, i).trim())
      start = i + 1
    }
  }
  take(text.slice(start).trim())
}

/** The last elements of a list, the last one first. */
function lastElements(list: string, most: number): string[] {
  const last: string[] = []
  eachPart(list, ',', (element) => {
    if (last.length === most) last.shift()
    last.push(element)
  })
  return last.toReversed()
}

/** The address in its shortest form, without a port and brackets. */
function addressIn(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  const plain = bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return parseAddress(plain)?.toString()
}

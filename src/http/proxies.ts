import type { IncomingMessage } from 'node:http'
import { isInRanges, parseAddress, type Ranges } from './networks.ts'

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
    if (forwardedHost !== undefined) origin.host = partsOf(String(forwardedHost), ',').at(-1) ?? ''
    const hops = partsOf(String(value), ',').slice(-HOPS_MAX).toReversed()
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

/** An element of `Forwarded`, such as `for="[2001:db8::1]:4711";host=docs.example.com`. */
function forwardedHop(element: string): Hop {
  const values = new Map(
    partsOf(element, ';').map((pair) => {
      const at = pair.indexOf('=')
      const value = pair.slice(at + 1).trim()
      const plain = value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value
      return [pair.slice(0, at).trim().toLowerCase(), plain]
    }),
  )
  return { ip: addressIn(values.get('for') ?? ''), host: values.get('host') }
}

/** The parts between the separators that are outside quotation marks. One pass, because a client may write the text. */
function partsOf(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(separator).map((part) => part.trim())
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (isQuoted && char === '\\') i++
    else if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && char === separator) {
      parts.push(text.slice(start, i).trim())
      start = i + 1
    }
  }
  return [...parts, text.slice(start).trim()]
}

/** The address in its shortest form, without a port and brackets. */
function addressIn(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  const plain = bracketed ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return parseAddress(plain)?.toString()
}

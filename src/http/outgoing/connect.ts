import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { ShareFull, fairShare } from '../../threads/shares.ts'
import { unavailable } from '../errors.ts'
import { because } from '../../core/languages/reasons.ts'

/** Finds every address of a host name. */
export type Lookup = (hostname: string) => Promise<string[]>

/** The request to send; a GET by default. */
export interface Outgoing {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Uint8Array | Readable
}

/** An open response. Closing it closes the connection. */
export interface Connection {
  status: number
  headers: Record<string, string>
  body: Readable
  close(): void
}

/** Every address of the host of a URL: a name, an IPv4 address, or an IPv6 address in brackets. */
export async function resolveHost(hostname: string, lookup: Lookup = lookupAll): Promise<string[]> {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0) return [literal]

  const addresses = await lookup(hostname)
  if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
  return addresses
}

/** A server of names that does not answer keeps a thread of libuv for many seconds. */
const inLookups = fairShare({ queue: 200, queueOfParty: 50 })
const RETRY_S = 10

/** The lookups that have not ended, by host name: requests to one host share them. */
const lookups = new Map<string, Promise<string[]>>()

function lookupAll(hostname: string): Promise<string[]> {
  const known = lookups.get(hostname)
  if (known) return known
  // The owner of a domain can make any number of names below it, so they share the turns of the domain.
  const domain = hostname.split('.').slice(-2).join('.')
  const own = inLookups({ user: domain }, () => systemLookup(hostname, { all: true }))
    .then((found) => found.map(({ address }) => address))
    .catch((error: unknown) => {
      throw error instanceof ShareFull ? unavailable(because('too-many-lookups'), RETRY_S) : error
    })
    .finally(() => lookups.delete(hostname))
  lookups.set(hostname, own)
  return own
}

/**
 * Sends a request to one of the given addresses of a host, without another DNS query. It does not follow redirects.
 * Each request opens a new connection, because a pooled connection could have been checked under other rules.
 */
export async function connectTo(
  url: URL,
  addresses: string[],
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<Connection> {
  // Loaded at the first request, because loading it would delay every start by a tenth of a second.
  const { Agent, request } = await import('undici')
  const dispatcher = new Agent({ connect: { lookup: pinned(addresses) }, headersTimeout: 0, bodyTimeout: 0 })
  const close = () => void dispatcher.destroy().catch(() => undefined)

  try {
    const answer = await request(url, {
      dispatcher,
      signal,
      method: outgoing.method ?? 'GET',
      headers: {
        accept: '*/*',
        'user-agent': 'Lectern',
        ...lowerCased(outgoing.headers),
        'accept-encoding': 'identity',
      },
      body: outgoing.body ?? null,
    })
    // If the caller abandons the body, the timeout must not crash the process.
    answer.body.on('error', () => undefined)

    return { status: answer.statusCode, headers: flat(answer.headers), body: answer.body, close }
  } catch (error) {
    close()
    throw error
  }
}

function pinned(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const [first = { address: '', family: 0 }] = found

  return (_hostname, options, callback) => {
    if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  }
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const values = Object.entries(headers).filter((entry) => entry[1] !== undefined)

  return Object.fromEntries(values.map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]))
}

import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '../http/errors.ts'
import { locationOf } from '../http/outgoing/guarded-fetch.ts'
import type { Services } from '../http/route.ts'
import {
  beginLinkChecks,
  dueAddresses,
  type ExternalResult,
  scanSpaces,
  storeResult,
} from '../model/links/external-links.ts'
import { hasErrorCode } from '../core/runtime/error-code.ts'
import { VERSION } from '../core/runtime/version.ts'
import type { Worker } from './queue/job-kind.ts'

/** The most addresses of one run. */
const MOST = 500
/** A run begins no check after this time. */
const RUN_MS = 5 * 60_000
const HOSTS_AT_ONCE = 8
/** The time between two requests to a host. */
const PAUSE_MS = 1_000
/** The time for one response. A redirect has this time again. */
const TIMEOUT_MS = 10_000
const MOST_REDIRECTS = 5
/** The body is not read, however long it is said to be. */
const MAX_BYTES = Number.MAX_SAFE_INTEGER

type Checking = Pick<Services, 'db' | 'urls' | 'now' | 'enqueue' | 'fetch'>

/**
 * Requests the external addresses in the spaces of an organization that asks for it. The next run follows in ten minutes.
 * @param pauseMs between two requests to one host, whichever organization has its addresses
 */
export function checkLinks({ db, urls, now, enqueue, fetch }: Checking, pauseMs = PAUSE_MS): Worker {
  const turnOf = turnsOfHosts(pauseMs)
  return async ({ organizationId }: { organizationId: string }) => {
    const isWanted = await db.write((tx) => beginLinkChecks(tx, enqueue, { organizationId, now: now() }))
    if (!isWanted) return
    await scanSpaces(db, urls, { organizationId, now: now() })

    const hosts = byHost(await dueAddresses(db.read, { organizationId, now: now(), most: MOST }))
    const end = Date.now() + RUN_MS
    const headers = {
      'user-agent': `LecternLinkCheck/${VERSION} (+${new URL(urls.api('')).origin})`,
      accept: '*/*',
    }
    const request = async (url: string, method: 'HEAD' | 'GET') => {
      for (let address = url, redirects = 0; ; redirects++) {
        await turnOf(hostOf(address))
        const limits = { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, maxRedirects: 'none' as const }
        const answer = await fetch(address, limits, { method, headers })
        answer.body.on('error', () => {}).destroy()
        const location = locationOf(answer)
        const next = location === undefined ? null : URL.parse(location, address)
        if (!next || redirects === MOST_REDIRECTS) return answer.status
        address = next.href
      }
    }
    const runLane = async () => {
      for (let urlsOfHost = hosts.pop(); urlsOfHost; urlsOfHost = hosts.pop()) {
        for (const url of urlsOfHost) {
          if (Date.now() > end) return
          const result = await check(url, request)
          await db.write((tx) => storeResult(tx, { organizationId, url, result, now: now() }))
        }
      }
    }
    await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, runLane))
  }
}

/** Returns a function that waits until a host may get its next request. */
function turnsOfHosts(pauseMs: number): (host: string) => Promise<void> {
  const free = new Map<string, number>()
  return async (host) => {
    const now = Date.now()
    for (const [other, at] of free) if (at <= now) free.delete(other)
    const at = Math.max(now, free.get(host) ?? 0)
    free.set(host, at + pauseMs)
    await wait(at - now)
  }
}

const hostOf = (address: string): string => URL.parse(address)?.hostname ?? ''

/** The addresses of each host. */
function byHost(addresses: readonly string[]): string[][] {
  const hosts = new Map<string, string[]>()
  for (const address of addresses) {
    const host = hostOf(address)
    const others = hosts.get(host)
    if (others) others.push(address)
    else hosts.set(host, [address])
  }
  return [...hosts.values()]
}

/** Errors that some servers send only for `HEAD`. */
const ONLY_FOR_HEAD = new Set([400, 401, 403, 404, 405, 406, 410, 501])

/** Decides whether an address works. */
async function check(
  address: string,
  request: (url: string, method: 'HEAD' | 'GET') => Promise<number>,
): Promise<ExternalResult> {
  // Servers do not see the fragment.
  const [url = ''] = address.split('#')
  try {
    let status = await request(url, 'HEAD')
    if (ONLY_FOR_HEAD.has(status)) status = await request(url, 'GET')
    if (status === 404) return 'not-found'
    if (status === 410) return 'gone'
    return status >= 200 && status < 300 ? 'ok' : 'unknown'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return hasErrorCode(error.cause, 'ENOTFOUND') ? 'unknown-host' : 'unknown'
  }
}

import type { IncomingMessage } from 'node:http'
import { heapSize } from '../../core/runtime/heap-size.ts'
import { lru } from '../../core/data/lru.ts'
import type { Reader } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { type OwnHost, ownHosts } from './own-hosts.ts'

const HOSTS_BYTES = 1024 * 1024

/**
 * Finds the sites of requests by their hosts. A proxy can forward requests from an origin to the host of a site. Such a
 * request has two hosts: the one that the reader asked for, and the one that the proxy asked for.
 */
export interface SiteHosts {
  /** The organization's host name in the host of a request; empty on the API's own host. */
  organizationOf(request: IncomingMessage): string
  /** The site with a host name of its own. */
  ownOf(request: IncomingMessage): OwnHost | undefined
  /** The host that the reader asked a trusted proxy for, without a port; undefined if the request has only one host. */
  forwardedOf(request: IncomingMessage): string | undefined
  /** Whether the site has the host that a proxy asked for, and not the one that the reader asked for. */
  isOnlyForwarded(request: IncomingMessage): boolean
  /** Calls back when the site of a request is known, so that the request can be routed. */
  find(request: IncomingMessage, done: () => void): void
}

/** @param askedOf the host that the client of a request asked for */
export function siteHosts(
  db: Reader,
  urls: Urls,
  sitesHost: () => string,
  askedOf: (request: IncomingMessage) => string,
): SiteHosts {
  const names = lru<string>(HOSTS_BYTES, 'site-hosts')
  const sentOf = ({ headers }: IncomingMessage) => headers.host ?? ''

  function organizationAt(header: string): string {
    const known = names.get(header)
    if (known !== undefined) return known
    const host = withoutPort(header)
    const suffix = `.${withoutPort(sitesHost())}`
    const isSite = host.endsWith(suffix) && host !== withoutPort(new URL(urls.api('')).host)
    const name = isSite ? host.slice(0, -suffix.length) : ''
    names.set(header, name, heapSize(name))
    return name
  }

  function hostsOf(request: IncomingMessage): string[] {
    const [asked, sent] = [askedOf(request), sentOf(request)]
    return asked === sent ? [asked] : [asked, sent]
  }

  const own = ownHosts(
    db,
    (host) =>
      [urls.api(''), `http://${sitesHost()}`].some((url) => new URL(url).hostname === host) ||
      host.endsWith(`.${withoutPort(sitesHost())}`),
  )

  return {
    organizationOf(request) {
      const asked = askedOf(request)
      return organizationAt(asked) || (asked === sentOf(request) ? '' : organizationAt(sentOf(request)))
    },
    ownOf: (request) => own.of(request),
    forwardedOf(request) {
      const asked = askedOf(request)
      return asked === sentOf(request) ? undefined : withoutPort(asked)
    },
    isOnlyForwarded(request) {
      const [asked, sent] = hostsOf(request)
      if (asked === undefined || sent === undefined) return false
      const site = own.of(request)
      if (site) return 'host' in site && site.host !== withoutPort(asked)
      return organizationAt(asked) === '' && organizationAt(sent) !== ''
    },
    find: (request, done) => own.find(request, hostsOf(request).map(withoutPort), done),
  }
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

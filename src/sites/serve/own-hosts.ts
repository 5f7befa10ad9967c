import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { lru } from '../../core/data/lru.ts'
import { heapSize } from '../../core/runtime/heap-size.ts'
import type { Reader } from '../../db/schema.ts'
import { siteAtHost } from '../../model/sites/published/open-site.ts'

const HOSTS_BYTES = 1024 * 1024

/** The site of a request to a host name of its own, or why it could not be looked up. */
export type OwnHost =
  | { site: { organizationHostname: string; basename: string }; host: string }
  | { error: unknown }

/** Finds the sites of requests to host names of their own. The router cannot, because it does not wait. */
export interface OwnHosts {
  /** Looks up the first of the hosts that is a site's, and then calls back. */
  find(request: IncomingMessage, hosts: readonly string[], done: () => void): void
  of(request: IncomingMessage): OwnHost | undefined
}

/**
 * @param isInstallation whether a host is that of the API or of the sites of an organization
 */
export function ownHosts(db: Reader, isInstallation: (host: string) => boolean): OwnHosts {
  const found = new WeakMap<IncomingMessage, OwnHost>()
  const candidates = lru<boolean>(HOSTS_BYTES, 'custom-hosts')

  function canBeOwn(host: string): boolean {
    const known = candidates.get(host)
    if (known !== undefined) return known
    const can = host.includes('.') && isIP(host) === 0 && !isInstallation(host)
    candidates.set(host, can, heapSize(can))
    return can
  }

  async function firstAt(hosts: readonly string[]): Promise<OwnHost | undefined> {
    try {
      for (const host of hosts) {
        const site = await siteAtHost(db, host)
        if (site) return { site, host }
      }
    } catch (error) {
      return { error }
    }
    return undefined
  }

  return {
    find(request, hosts, done) {
      const possible = hosts.filter(canBeOwn)
      if (possible.length === 0) return done()
      void firstAt(possible).then((own) => {
        if (own) found.set(request, own)
        // The listener of a server does not return a promise.
        // oxlint-disable-next-line promise/no-callback-in-promise
        return done()
      })
    },
    of: (request) => found.get(request),
  }
}

/** Which hosts of links belong to this installation: that of the API, and those at which sites are published. */
import { sql, type SqlBool } from 'kysely'
import { firstIndex } from '../../core/data/lists.ts'
import { keyAt } from '../../core/content/link-index.ts'
import type { LinkIndex } from '../../core/content/link-index.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { giveTurn } from '../../core/runtime/turns.ts'

/** Consecutive uses of addresses on one host. */
export interface HostUses {
  host: string
  uses: readonly number[]
}

/**
 * The uses of web addresses, by host. It looks at one use of each host, because the uses are in the order of their keys.
 * @param uses in the order of their keys
 */
export async function usesByHost(index: LinkIndex, uses: readonly number[]): Promise<HostUses[]> {
  const from = (text: string) => firstIndex(uses, (use) => keyAt(index, use) >= text)
  const found: HostUses[] = []
  const end = from('url!')
  for (let at = from('url '); at < end;) {
    const key = keyAt(index, uses[at]!)
    const [start, address] = /^url ((?:https?:)?\/\/[^\s/?#\\]*)/i.exec(key) ?? []
    // A key of another scheme, such as `mailto:`: all keys of the scheme are skipped.
    const shared = start === undefined ? key.slice(0, key.indexOf(':') + 1) : key.slice(0, start.length + 1)
    const next = Math.max(at + 1, from(following(shared)))
    const url = address === undefined ? null : URL.parse(address, 'https://localhost')
    if (url) found.push({ host: url.host, uses: uses.slice(at, next) })
    at = next
    await giveTurn()
  }
  return found
}

/** The first text that is after all texts that begin like this one. */
function following(beginning: string): string {
  return beginning.slice(0, -1) + String.fromCharCode(beginning.charCodeAt(beginning.length - 1) + 1)
}

/** Where addresses on a host lead to. */
export type OwnHostKind = 'server' | 'organization' | 'site' | 'origin'

/** The hosts among these that belong to this installation. */
export async function ownHostsAmong(
  db: Reader,
  urls: Urls,
  hosts: readonly string[],
): Promise<Map<string, Set<OwnHostKind>>> {
  const own = new Map<string, Set<OwnHostKind>>()
  const add = (host: string, kind: OwnHostKind) => own.set(host, (own.get(host) ?? new Set()).add(kind))
  const { host: server } = new URL(urls.api(''))
  const sites = sitesHostOf(urls)
  for (const host of hosts) {
    if (host === server) add(host, 'server')
    else if (host.endsWith(`.${sites}`)) add(host, 'organization')
  }
  // Neither a host name of a site nor an origin has a port in the database unless it is a part of the origin.
  for (const some of chunks([...new Set(hosts)])) {
    const names = new Map(some.map((host) => [host.replace(/:\d+$/, ''), host]))
    const rows = await db
      .selectFrom('customHostname')
      .select('hostname')
      .where('hostname', 'in', [...names.keys()])
      .where('isActive', '=', 1)
      .execute()
    for (const { hostname } of rows) add(names.get(hostname)!, 'site')
    const origins = await db
      .selectFrom('site')
      .select('proxy')
      .distinct()
      .where('proxy', 'is not', null)
      .where((eb) => eb.or(some.map((host) => startsWithHost(host))))
      .execute()
    for (const { proxy } of origins) add(proxy!.slice(0, proxy!.indexOf('/')).toLowerCase(), 'origin')
  }
  return own
}

function startsWithHost(host: string) {
  const pattern = `${host.replace(/[\\%_]/g, '\\$&')}/%`
  return sql<SqlBool>`lower("site"."proxy") like ${pattern} escape '\\'`
}

/** The host below which each organization has a host of its own. */
export function sitesHostOf(urls: Urls): string {
  return new URL(urls.siteTarget({ hostname: null, basename: 'x' }, 'x')).host.slice('x.'.length)
}

/** Finds the paths of a site that absolute URLs lead to, at all addresses that the site has or had. */
import { prepare } from '../../db/prepare.ts'
import type { Reader, Row } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { findSite } from './published/open-site.ts'
import { decodePath, renamedPath } from './published/resolve.ts'
import { keyIn } from './published/share-key.ts'

/** The addresses of one site. */
export interface OwnPaths {
  /**
   * The path within the site that a URL leads to, without a slash at its beginning; undefined for URLs of anything else.
   * The scheme does not matter, and neither does a port, because a proxy may change them.
   */
  of(url: string): string | undefined
  /** The path that a path with former names of sections or spaces leads to now. */
  renamed(path: string): Promise<string | undefined>
}

const formerNames = prepare((db, argument) =>
  db.selectFrom('siteOldBasename').select('basename').where('siteId', '=', argument(0)),
)

const hostsOf = prepare((db, argument) =>
  db
    .selectFrom('customHostname')
    .select('hostname')
    .where('siteId', '=', argument(0))
    .where('isActive', '=', 1),
)

/** Loads the addresses of a site: its base names, its host names, its origin, and the former names of its parts. */
export async function loadOwnPaths(
  db: Reader,
  urls: Urls,
  site: Pick<Row<'site'>, 'id' | 'basename' | 'proxy'>,
  organizationHostname: string,
): Promise<OwnPaths> {
  const former = await formerNames(db, site.id)
  const hosts = await hostsOf(db, site.id)
  const basenames = new Set([site.basename, ...former.map(({ basename }) => basename)])
  const hostnames = new Set(hosts.map(({ hostname }) => hostname.toLowerCase()))
  const origin = site.proxy === null ? undefined : URL.parse(`https://${site.proxy}/`)
  const served = await findSite(db, { organizationHostname, basename: site.basename, base: '/' })

  function pathAt(url: URL): string | undefined {
    if (origin?.hostname === url.hostname && `${url.pathname}/`.startsWith(origin.pathname))
      return url.pathname.slice(origin.pathname.length)
    if (hostnames.has(url.hostname)) return url.pathname.slice(1)
    const place = urls.sitesAt(url)
    if (place?.organizationHostname !== organizationHostname || !url.pathname.startsWith(place.base))
      return undefined
    const [basename = '', ...rest] = url.pathname.slice(place.base.length).split('/')
    return basenames.has(decodePath(basename)) ? rest.join('/') : undefined
  }

  return {
    of(address) {
      const url = URL.parse(address)
      const path = url ? pathAt(url) : undefined
      const keyed = path === undefined ? undefined : keyIn(path)
      return keyed ? (keyed.rest ?? '') : path
    },
    renamed: async (path) => (served ? renamedPath(db, served, path) : undefined),
  }
}

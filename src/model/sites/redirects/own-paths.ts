/** Finds the paths of a site that absolute URLs lead to, at all addresses that the site has or had. */
import { type OwnPlace, pathInPlaces } from '../../../core/reading/own-places.ts'
import { SITES_PATH } from '../../../core/web/site-paths.ts'
import { prepare } from '../../../db/prepare.ts'
import type { Reader, Row } from '../../../db/schema.ts'
import type { Urls } from '../../../http/urls.ts'
import { findSite } from '../published/open-site.ts'
import { decodePath, renamedPath } from '../published/resolve/resolve.ts'
import { keyIn } from '../published/resolve/share-key.ts'

/** The addresses of one site. */
export interface OwnPaths {
  places: readonly OwnPlace[]
  /** The path within the site that a URL leads to, as `pathInPlaces`, without the key of a share link. */
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
  const basenames = [site.basename, ...former.map(({ basename }) => basename)]
  const onServer = URL.parse(urls.api(''))?.hostname ?? ''
  const places: OwnPlace[] = [
    ...(site.proxy === null ? [] : placesAt(`https://${site.proxy}/`)),
    ...hosts.map(({ hostname }) => ({ hostname: hostname.toLowerCase(), path: '/' })),
    ...basenames.flatMap((basename) => [
      ...placesAt(urls.siteTarget({ hostname: null, basename }, organizationHostname)),
      { hostname: onServer, path: `${SITES_PATH}${organizationHostname}/${basename}/` },
    ]),
  ]
  // Only redirects ask for it, many times.
  let served: ReturnType<typeof findSite> | undefined
  return {
    places,
    of(address) {
      const path = pathInPlaces(address, places)
      const keyed = path === undefined ? undefined : keyIn(path)
      return keyed ? (keyed.rest ?? '') : path
    },
    async renamed(path) {
      served ??= findSite(db, { organizationHostname, basename: site.basename, base: '/' })
      const found = await served
      return found && renamedPath(db, found, path)
    },
  }
}

function placesAt(address: string): OwnPlace[] {
  const url = URL.parse(address)
  return url ? [{ hostname: url.hostname, path: decodePath(url.pathname) }] : []
}

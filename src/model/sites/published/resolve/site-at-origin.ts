import { sql } from 'kysely'
import type { Reader } from '../../../../db/schema.ts'
import { type Reaching, reaches } from '../../../../access/roles/reached.ts'
import { LONGEST_ORIGIN, originOf } from '../open-site.ts'

/** More sites than these at the origins of one URL are not told apart. */
const SITES_MOST = 100

/** The site whose proxy forwards a URL to it, and the path within the site. */
export interface SiteAtOrigin {
  organizationHostname: string
  basename: string
  path: string
}

/**
 * The site to whose origin (`proxy`) a URL belongs; of several origins of one organization, the longest one counts.
 *
 * Nobody proves an origin. So that no organization can take over the address of another one, the sites of the caller's
 * own organizations come first, and without any, an origin that several organizations name leads nowhere. Sites that are
 * not published count too, so that their address is not free for others meanwhile.
 */
export async function siteAtOrigin(db: Reader, url: URL, me: Reaching): Promise<SiteAtOrigin | undefined> {
  const origins = originsIn(url)
  if (origins.length === 0) return undefined
  const rows = await db
    .selectFrom('site')
    .innerJoin('organization', 'organization.id', 'site.organizationId')
    .leftJoin('member', (join) =>
      join
        .onRef('member.organizationId', '=', 'site.organizationId')
        .on('member.userId', '=', me.userId)
        .on(reaches(me, 'member.organizationId'))
        .on('member.disabled', '=', 0),
    )
    .select(['site.organizationId', 'site.basename', 'site.proxy', 'site.published'])
    .select(['organization.hostname as organizationHostname', 'member.userId as member'])
    .where(sql<string>`lower("site"."proxy")`, 'in', origins)
    .orderBy(sql`case when "member"."userId" is null then 1 else 0 end`)
    .limit(SITES_MOST)
    .execute()
  const own = rows.filter(({ member }) => member !== null)
  const known = own.length > 0 ? own : rows
  // There may be others that were not read.
  if (known.length === SITES_MOST) return undefined

  const places = known.flatMap((row) => {
    const origin = originOf(row.proxy)
    // A path has capitals, but a host has none.
    const isHere = origin?.host === url.hostname && `${url.pathname}/`.startsWith(origin.path)
    return isHere ? [{ ...row, base: origin.path }] : []
  })
  if (new Set(places.map(({ organizationId }) => organizationId)).size !== 1) return undefined
  const longest = places.reduce((most, { base }) => Math.max(most, base.length), 0)
  const at = places.filter(({ base }) => base.length === longest)
  const candidates = at.length === 1 ? at : at.filter(({ published }) => published === 1)
  const [found] = candidates
  if (!found || candidates.length > 1) return undefined
  const { organizationHostname, basename, base } = found
  return { organizationHostname, basename, path: url.pathname.slice(base.length) }
}

/** The origins to which a URL may belong, in lower case. Origins have no port. */
function originsIn({ port, hostname, pathname }: URL): string[] {
  if (port !== '') return []
  const [, ...segments] = pathname.toLowerCase().split('/', LONGEST_ORIGIN)
  const origins: string[] = []
  let origin = hostname
  for (const segment of segments) {
    origin += `/${segment}`
    if (segment === '' || origin.length > LONGEST_ORIGIN) break
    origins.push(origin)
  }
  return origins
}

import { sql } from 'kysely'
import { Type } from 'typebox'
import { loadReach, type Membership, type Reach } from '../../access/reach.ts'
import { isOpenSite } from '../../access/visitors.ts'
import { between } from '../../core/content/tree/order.ts'
import { uniqueSlug } from '../../core/content/tree/rules.ts'
import { shorten } from '../../core/shorten.ts'
import { slugify } from '../../core/slug.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { omitNullish, oneOf, Uri } from '../common.ts'
import { isDefaultSiteSpace } from '../places/default-site-space.ts'
import { Space, toSpaces } from '../places/space.ts'

const LONGEST_PATH = 80

export const SiteSpace = Type.Object(
  {
    object: oneOf(['site-space']),
    id: Type.String(),
    path: Type.String(),
    title: Type.String(),
    space: Space,
    default: Type.Boolean(),
    urls: Type.Object({ published: Type.Optional(Uri) }),
  },
  { title: 'SiteSpace' },
)

/**
 * A query for the site spaces that a member can see: those whose space the member can read, and all of a site that is
 * open to everyone, because a member must not see less than a stranger. Spaces in the trash are left out.
 */
export function visibleSiteSpaces(db: Reader, reach: Reach) {
  return db
    .selectFrom('siteSpace')
    .innerJoin('site', 'site.id', 'siteSpace.siteId')
    .innerJoin('space', 'space.id', 'siteSpace.spaceId')
    .where('space.deletedAt', 'is', null)
    .where(sql<boolean>`(${isOpenSite} or ${reach.spacesFrom('read')})`)
}

/** The number of spaces that a member sees in each of these sites. */
export async function countSiteSpaces(
  db: Reader,
  sites: Row<'site'>[],
  member: Membership,
): Promise<Map<string, number>> {
  if (sites.length === 0) return new Map()
  const ids = sites.map(({ id }) => id)
  const rows = await visibleSiteSpaces(db, await loadReach(db, member))
    .select(['siteSpace.siteId', (eb) => eb.fn.countAll().as('count')])
    .where('siteSpace.siteId', 'in', ids)
    .groupBy('siteSpace.siteId')
    .execute()
  return new Map(rows.map(({ siteId, count }) => [siteId, Number(count)]))
}

/**
 * The spaces of a site that a member can see, in their order.
 * @param address the URL of the site; absent while the site is not published
 */
export async function siteSpacesOf(
  urls: Urls,
  db: Reader,
  site: Row<'site'>,
  address: string | undefined,
  member: Membership,
) {
  const reach = await loadReach(db, member)
  const rows = await visibleSiteSpaces(db, reach)
    .select(['siteSpace.id', 'siteSpace.path', 'siteSpace.spaceId', isDefaultSiteSpace.as('isDefault')])
    .where('siteSpace.siteId', '=', site.id)
    .orderBy('siteSpace.position')
    .orderBy('siteSpace.id')
    .execute()
  const spaces = await loadSpaces(urls, db, rows, reach)

  return rows.flatMap(({ id, path, spaceId, isDefault }) => {
    const space = spaces.get(spaceId)
    if (!space) return []
    return [
      {
        object: 'site-space' as const,
        id,
        path,
        title: space.title,
        space,
        default: isDefault === 1,
        urls: omitNullish({
          published: address && (isDefault === 1 ? address : `${address}${encodeURIComponent(path)}/`),
        }),
      },
    ]
  })
}

async function loadSpaces(urls: Urls, db: Reader, siteSpaces: { spaceId: string }[], reach: Reach) {
  if (siteSpaces.length === 0) return new Map<string, Space>()
  const ids = siteSpaces.map(({ spaceId }) => spaceId)
  const rows = await db.selectFrom('space').selectAll().where('id', 'in', ids).execute()
  const roleOf = await reach.onSpaces(db, rows)
  const spaces = await toSpaces(urls, db, rows, roleOf)
  return new Map(spaces.map((space) => [space.id, roleOf(space) === null ? asVisitor(space) : space]))
}

/** A space without the fields that only its members may read. */
function asVisitor({ parent: _parent, ...space }: Space): Space {
  const none = { comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 }
  return { ...space, ...none, defaultLevel: null, mergeRules: { type: 'inherit' } }
}

/** Adds a space at the end of a site. The first space is the default. */
export async function addSiteSpace(
  tx: Tx,
  site: Row<'site'>,
  space: Row<'space'>,
  { now, newId }: { now: Date; newId: () => string },
): Promise<void> {
  const others = await tx
    .selectFrom('siteSpace')
    .select(['path', 'position'])
    .where('siteId', '=', site.id)
    .orderBy('position')
    .execute()
  const taken = new Set(others.map(({ path }) => path))
  await tx
    .insertInto('siteSpace')
    .values({
      id: newId(),
      siteId: site.id,
      spaceId: space.id,
      path: uniqueSlug(shorten(slugify(space.title), LONGEST_PATH) || 'docs', taken),
      isDefault: others.length === 0 ? 1 : 0,
      position: between(others.at(-1)?.position ?? null, null),
      createdAt: now.toISOString(),
    })
    .execute()
}

/** The spaces, collections and sites that a user keeps at hand. */
import { type Static, Type } from 'typebox'
import type { Membership } from '../../access/roles/reach.ts'
import { sitesFrom } from '../../access/roles/site-reach.ts'
import { visibleCollections, visibleSpaces } from '../../access/roles/visible.ts'
import type { Reader, Tx } from '../../db/schema.ts'
import type { Caller } from '../../http/route.ts'
import type { Urls } from '../../http/urls.ts'
import { Id, InOrganization, oneOf, Timestamp, Uri } from '../common.ts'

/** The most favourites of a user, in all organizations. */
export const MOST_FAVOURITES = 200

export const InFavourite = Type.Object({ ...InOrganization.properties, placeId: Id })

/** A place that the caller keeps at hand. */
export const Favourite = Type.Object(
  {
    object: oneOf(['favourite']),
    id: Type.String({ description: 'The id of the space, collection or site' }),
    kind: oneOf(['space', 'collection', 'site']),
    title: Type.String(),
    emoji: Type.Optional(Type.String()),
    createdAt: Timestamp,
    urls: Type.Object({ location: Uri }),
  },
  { title: 'Favourite' },
)
export type Favourite = Static<typeof Favourite>

/** A space, collection or site that a caller can see. */
type Place = Pick<Favourite, 'id' | 'kind' | 'title' | 'emoji'>

/** Whose view of an organization it is. */
interface Viewer {
  me: Caller
  member: Membership
}

/** The favourites of the caller in an organization that they can still see, oldest first. */
export async function favouritesOf(db: Reader, urls: Urls, viewer: Viewer): Promise<Favourite[]> {
  const rows = await db
    .selectFrom('favourite')
    .select(['placeId', 'createdAt'])
    .where('userId', '=', viewer.me.userId)
    .orderBy('createdAt')
    .orderBy('placeId')
    .execute()
  const places = await placesWith(
    db,
    viewer,
    rows.map(({ placeId }) => placeId),
  )
  return rows.flatMap(({ placeId, createdAt }) => {
    const place = places.get(placeId)
    return place ? [toFavourite(urls, viewer, { place, createdAt })] : []
  })
}

/** The favourite as the API returns it. */
export function toFavourite(
  urls: Urls,
  { member: { organizationId } }: Viewer,
  { place, createdAt }: { place: Place; createdAt: string },
): Favourite {
  const { id, kind } = place
  const location = kind === 'site' ? `/orgs/${organizationId}/sites/${id}` : `/${kind}s/${id}`
  return { object: 'favourite', ...place, createdAt, urls: { location: urls.api(location) } }
}

/** The spaces, collections and sites of an organization with these ids that the caller can see. */
export async function placesWith(
  db: Reader,
  { me, member }: Viewer,
  ids: readonly string[],
): Promise<Map<string, Place>> {
  const { organizationId } = member
  const places = new Map<string, Place>()
  if (ids.length === 0) return places
  const seenSpaces = [...(await visibleSpaces(db, me, ids)).keys()]
  const spaces = await db
    .selectFrom('space')
    .select(['id', 'title', 'emoji'])
    .where('id', 'in', ['', ...seenSpaces])
    .where('organizationId', '=', organizationId)
    .execute()
  for (const { id, title, emoji } of spaces)
    places.set(id, { id, kind: 'space', title, ...(emoji === null ? {} : { emoji }) })
  const seenCollections = await visibleCollections(db, me, ids)
  const collections = await db
    .selectFrom('collection')
    .select(['id', 'title'])
    .where('id', 'in', ['', ...seenCollections])
    .where('organizationId', '=', organizationId)
    .execute()
  for (const { id, title } of collections) places.set(id, { id, kind: 'collection', title })
  const sites = await db
    .selectFrom('site')
    .select(['id', 'title'])
    .where('id', 'in', ids)
    .where('organizationId', '=', organizationId)
    .where(sitesFrom(member, 'read'))
    .execute()
  for (const { id, title } of sites) places.set(id, { id, kind: 'site', title })
  return places
}

/** Forgets the favourites of a user that have been deleted, so that they do not count. */
export async function forgetDeleted(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom('favourite')
    .where('userId', '=', userId)
    .where('placeId', 'not in', (eb) =>
      eb
        .selectFrom('space')
        .select('id')
        .unionAll(eb.selectFrom('collection').select('id'))
        .unionAll(eb.selectFrom('site').select('id')),
    )
    .execute()
}

import { onOrg } from '../../access/checks/on.ts'
import { because } from '../../core/languages/reasons.ts'
import type { Tx } from '../../db/schema.ts'
import { conflict, notFound } from '../../http/errors.ts'
import { listItems, listOf, ListQuery } from '../../http/pagination.ts'
import { ABSENT, route } from '../../http/route.ts'
import { InOrganization } from '../../model/common.ts'
import {
  Favourite,
  favouritesOf,
  forgetDeleted,
  InFavourite,
  MOST_FAVOURITES,
  placesWith,
  toFavourite,
} from '../../model/places/favourite.ts'
import { memberOf } from '../../model/sites/structure/structure.ts'

export const listFavourites = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/favourites',
  summary: 'List the favourites of the caller in an organization, oldest first',
  description: 'A favourite that the caller cannot see any more is left out.',
  access: onOrg(),
  params: InOrganization,
  query: ListQuery,
  returns: listOf(Favourite),
  async handler({ db, me, urls, organization, organizationRole, page }) {
    const all = await favouritesOf(db, urls, {
      me,
      member: memberOf({ me, organization, organizationRole }),
    })
    return listItems(all, page, { key: ({ createdAt, id }) => [createdAt, id], sizes: (size) => size === 2 })
  },
})

export const addFavourite = route({
  method: 'PUT',
  path: '/v1/orgs/:organizationId/favourites/:placeId',
  summary: 'Add a space, collection or site to the favourites of the caller',
  description: `A favourite that is there already stays as it is. A user can have ${MOST_FAVOURITES} favourites in all organizations.`,
  access: onOrg(),
  params: InFavourite,
  returns: Favourite,
  // What a person keeps at hand is no change of the organization.
  audit: false,
  async handler({ tx, me, urls, organization, organizationRole, params: { placeId }, now }) {
    const viewer = { me, member: memberOf({ me, organization, organizationRole }) }
    const place = (await placesWith(tx, viewer, [placeId])).get(placeId)
    if (!place) throw notFound('space, collection or site')
    const known = await tx
      .selectFrom('favourite')
      .select('createdAt')
      .where('userId', '=', me.userId)
      .where('placeId', '=', placeId)
      .executeTakeFirst()
    if (known) return toFavourite(urls, viewer, { place, createdAt: known.createdAt })
    await makeRoom(tx, me.userId)
    const createdAt = now.toISOString()
    await tx
      .insertInto('favourite')
      .values({ userId: me.userId, placeId, createdAt })
      .onConflict((on) => on.doNothing())
      .execute()
    return toFavourite(urls, viewer, { place, createdAt })
  },
})

export const removeFavourite = route({
  method: 'DELETE',
  path: '/v1/orgs/:organizationId/favourites/:placeId',
  summary: 'Remove a space, collection or site from the favourites of the caller',
  access: onOrg(),
  params: InFavourite,
  audit: false,
  async handler({ tx, me, params: { placeId } }) {
    const { numDeletedRows } = await tx
      .deleteFrom('favourite')
      .where('userId', '=', me.userId)
      .where('placeId', '=', placeId)
      .executeTakeFirst()
    return numDeletedRows === 0n ? ABSENT : undefined
  },
})

/** @throws 409 if the user has as many favourites as one can have, without those that have been deleted */
async function makeRoom(tx: Tx, userId: string): Promise<void> {
  if ((await countFavourites(tx, userId)) < MOST_FAVOURITES) return
  await forgetDeleted(tx, userId)
  const count = await countFavourites(tx, userId)
  if (count >= MOST_FAVOURITES)
    throw conflict(because('too-many-favourites', { count, limit: MOST_FAVOURITES }))
}

async function countFavourites(tx: Tx, userId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('favourite')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

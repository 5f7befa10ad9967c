import { Type } from 'typebox'
import { needPlace, onOrg, onPlace } from '../../access/on.ts'
import { loadReach } from '../../access/reach.ts'
import type { Row } from '../../db/schema.ts'
import { listOf, listPage, ListQuery, pairsAfter } from '../../http/page.ts'
import { route } from '../../http/route.ts'
import {
  Collection,
  CollectionTitle,
  insertCollection,
  refuseNesting,
  toCollection,
} from '../../model/collection.ts'
import { Id, InOrganization } from '../../model/common.ts'

export const listCollectionsInOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/collections',
  summary:
    'The collections of an organization that the caller may see, in their order, each before those in it',
  access: onOrg(),
  params: InOrganization,
  query: Type.Object({
    ...ListQuery.properties,
    nested: Type.Optional(
      Type.Boolean({ default: true, description: 'Only those at the top level with false' }),
    ),
  }),
  returns: listOf(Collection),
  async handler({ db, me, at, organization, organizationRole, query, page }) {
    const member = { userId: me.userId, organizationId: organization.id, role: organizationRole }
    const reach = await loadReach(db, member)
    const all = await db
      .selectFrom('collection')
      .selectAll()
      .where('organizationId', '=', organization.id)
      .execute()
    const placeOf = placesIn(all)
    const visible = all
      .filter(
        ({ id, parent }) => reach.onCollection(id) !== null && (query.nested !== false || parent === null),
      )
      .map((row) => ({ row, place: placeOf(row) }))
      .toSorted((a, b) => comparePlaces(a.place, b.place))
    const after = pairsAfter(page)
    const start = after ? visible.findIndex(({ place }) => comparePlaces(place, after) > 0) : 0
    const rest = start < 0 ? [] : visible.slice(start, start + page.limit + 1)
    const { items, ...envelope } = listPage(rest, visible.length, page, ({ place }) => place)
    return {
      ...envelope,
      items: items.map(({ row }) => toCollection(at, row, reach.onCollection(row.id))),
    }
  },
})

export const createCollection = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/collections',
  summary: 'Create an empty collection, in another or at the top level',
  description:
    'In another collection, what counts is the permission "create" on that. Collections can be 20 deep in one another. Access is what the surroundings give; nothing is granted.',
  access: onPlace(),
  params: InOrganization,
  body: Type.Object({ title: Type.Optional(CollectionTitle), parent: Type.Optional(Id) }),
  returns: Collection,
  status: 201,
  async handler({ tx, me, at, body, organization, organizationRole, now, newId }) {
    const place = { organizationId: organization.id, organizationRole }
    const role = await needPlace(tx, me, place, body.parent ?? null)
    await refuseNesting(tx, organization.id, null, body.parent ?? null)
    const collection = await insertCollection(tx, {
      ...body,
      organizationId: organization.id,
      now,
      newId,
    })
    return toCollection(at, collection, role)
  },
})

/** Where a collection is: position and id of each collection down to it, so that sorting by it is walking the tree. */
function placesIn(all: Row<'collection'>[]): (collection: Row<'collection'>) => string[] {
  const rows = new Map(all.map((row) => [row.id, row]))
  const placeOf = ({ id, parent, position }: Row<'collection'>): string[] => {
    const above = parent === null ? undefined : rows.get(parent)
    return [...(above ? placeOf(above) : []), position, id]
  }
  return placeOf
}

function comparePlaces(a: string[], b: string[]): number {
  for (const [i, word] of a.entries()) {
    const other = b[i]
    if (other === undefined) return 1
    if (word !== other) return word < other ? -1 : 1
  }
  return a.length - b.length
}

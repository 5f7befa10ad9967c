import { Type } from 'typebox'
import { needParent, onOrg, onPlace } from '../../access/checks/on.ts'
import { loadReach } from '../../access/roles/reach.ts'
import type { Row } from '../../db/schema.ts'
import { compareKeys, listItems, listOf, ListQuery } from '../../http/pagination.ts'
import { route } from '../../http/route.ts'
import {
  Collection,
  CollectionTitle,
  insertCollection,
  refuseNesting,
  toCollection,
} from '../../model/places/collection.ts'
import { Id, InOrganization } from '../../model/common.ts'

export const listCollectionsInOrganizationById = route({
  method: 'GET',
  path: '/v1/orgs/:organizationId/collections',
  summary:
    'List the collections of an organization that the caller can see, each before its nested collections',
  access: onOrg(),
  params: InOrganization,
  query: Type.Object({
    ...ListQuery.properties,
    nested: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'With `false`, only collections at the top level are listed',
      }),
    ),
  }),
  returns: listOf(Collection),
  async handler({ db, me, urls, organization, organizationRole, query, page }) {
    const member = { userId: me.userId, organizationId: organization.id, role: organizationRole }
    const reach = await loadReach(db, member)
    const all = await db
      .selectFrom('collection')
      .selectAll()
      .where('organizationId', '=', organization.id)
      .execute()
    const collectionPlace = placesIn(all)
    const visible = all
      .filter(
        ({ id, parent }) => reach.onCollection(id) !== null && (query.nested !== false || parent === null),
      )
      .map((row) => ({ row, place: collectionPlace(row) }))
      .toSorted((a, b) => compareKeys(a.place, b.place))
    const { items, ...envelope } = await listItems(visible, page, {
      key: ({ place }) => place,
      sizes: (size) => size % 2 === 0,
    })
    return {
      ...envelope,
      items: items.map(({ row }) => toCollection(urls, row, reach.onCollection(row.id))),
    }
  },
})

export const createCollection = route({
  method: 'POST',
  path: '/v1/orgs/:organizationId/collections',
  summary: 'Create an empty collection, in another collection or at the top level',
  description:
    'Creating it in another collection requires `create` on that collection. Collections can be nested 20 levels deep. The collection inherits its access; no grant is created.',
  access: onPlace(),
  params: InOrganization,
  body: Type.Object({ title: Type.Optional(CollectionTitle), parent: Type.Optional(Id) }),
  returns: Collection,
  status: 201,
  async handler({ tx, me, urls, body, organization, organizationRole, now, newId }) {
    const place = { organizationId: organization.id, organizationRole }
    const role = await needParent(tx, me, place, body.parent ?? null)
    await refuseNesting(tx, organization.id, null, body.parent ?? null)
    const collection = await insertCollection(tx, {
      ...body,
      organizationId: organization.id,
      now,
      newId,
    })
    return toCollection(urls, collection, role)
  },
})

/** The positions and ids on the path to a collection. Sorting by it gives the depth-first order of the tree. */
function placesIn(all: Row<'collection'>[]): (collection: Row<'collection'>) => string[] {
  const rows = new Map(all.map((row) => [row.id, row]))
  const collectionPlace = ({ id, parent, position }: Row<'collection'>): string[] => {
    const above = parent === null ? undefined : rows.get(parent)
    return [...(above ? collectionPlace(above) : []), position, id]
  }
  return collectionPlace
}

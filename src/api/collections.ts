import { append } from '../core/data/lists.ts'
import { Type } from 'typebox'
import { chunks } from '../db/chunks.ts'
import { findCollection, onCollection, onCollectionIfThere } from '../access/checks/on.ts'
import { loadReach } from '../access/roles/reach.ts'
import { within } from '../core/data/nesting.ts'
import { listOf, ListQuery, listRows } from '../http/pagination.ts'
import { ABSENT, route } from '../http/route.ts'
import { moveIndexing } from '../model/content/search-task.ts'
import { Collection, CollectionTitle, collectionsOf, toCollection } from '../model/places/collection.ts'
import { DefaultLevelSchema, Id, InCollection, nullable, withUpdatedAt } from '../model/common.ts'
import { keepAccess } from '../model/access/grant.ts'
import { changeWithin } from '../model/access/change-within.ts'
import { moveDestination } from '../model/places/destination.ts'
import { Position } from '../model/places/place.ts'
import { Space, toSpaces } from '../model/places/space.ts'
import { forget, needTargetPlace, transferThings, transferAuditNote } from '../model/access/transfer.ts'
import { requireCreateOnAll, trashWithin } from '../model/access/trash.ts'

export const getCollectionById = route({
  method: 'GET',
  path: '/v1/collections/:collectionId',
  summary: 'Get a collection',
  access: onCollection('read'),
  params: InCollection,
  returns: Collection,
  async handler({ urls, collection, role }) {
    return toCollection(urls, collection, role)
  },
})

export const updateCollectionById = route({
  method: 'PATCH',
  path: '/v1/collections/:collectionId',
  summary: 'Update a collection',
  description:
    'Fields that are not sent keep their values; `null` clears the description. A caller who sets a `defaultLevel` that would exclude them keeps their role by a direct grant.',
  access: onCollection('create'),
  params: InCollection,
  body: Type.Object({
    title: Type.Optional(CollectionTitle),
    description: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
    defaultLevel: Type.Optional(DefaultLevelSchema),
  }),
  returns: Collection,
  async handler({ tx, me, urls, body, collection, role, now }) {
    const { id, organizationId } = collection
    const thing = { kind: 'collection', id } as const
    const update = async () => {
      const updated = await tx
        .updateTable('collection')
        .set(withUpdatedAt(collection, body, now))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      const kept = await keepAccess(tx, me, thing, { organizationId, role, now })
      return toCollection(urls, updated, kept)
    }
    const sameLevel = body.defaultLevel === undefined || body.defaultLevel === collection.defaultLevel
    return sameLevel ? update() : changeWithin(tx, { thing, role }, update)
  },
})

export const deleteCollectionById = route({
  method: 'DELETE',
  path: '/v1/collections/:collectionId',
  summary: 'Delete a collection and everything in it',
  description:
    'Nested collections are deleted too. Spaces move to the trash; for 7 days, each can be restored to the place of the collection. The request requires `create` on everything in the collection.',
  access: onCollectionIfThere('create'),
  params: InCollection,
  status: 205,
  async handler({ tx, me, enqueue, found, now }) {
    if (!found) return ABSENT
    const { id, organizationId } = found.collection
    const inside = within(await collectionsOf(tx, organizationId), id)
    const member = { userId: me.userId, organizationId, role: found.organizationRole }
    const reach = await loadReach(tx, member)
    await requireCreateOnAll(tx, inside, reach)
    await trashWithin(tx, enqueue, inside, { member, reach, now })

    await forget(tx, 'collection', inside)
    // The innermost first, because nested collections refer to their parents.
    for (const one of inside.toReversed()) await tx.deleteFrom('collection').where('id', '=', one).execute()
    return undefined
  },
})

export const listSpacesInCollectionById = route({
  method: 'GET',
  path: '/v1/collections/:collectionId/spaces',
  summary: 'List the spaces of a collection that the caller can see, in their order',
  description: 'Spaces of nested collections are not included.',
  access: onCollection('read'),
  params: InCollection,
  query: ListQuery,
  returns: listOf(Space),
  async handler({ db, me, urls, collection, organizationRole, page }) {
    const { organizationId } = collection
    const reach = await loadReach(db, { userId: me.userId, organizationId, role: organizationRole })
    const visible = db
      .selectFrom('space')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where('parent', '=', collection.id)
      .where('deletedAt', 'is', null)
      .where(reach.spacesFrom('read'))
    const { items, ...envelope } = await listRows(visible, page, { by: ['position', 'id'] })
    return { ...envelope, items: await toSpaces(urls, db, items, await reach.onSpaces(db, items)) }
  },
})

export const moveCollection = route({
  method: 'POST',
  path: '/v1/collections/:collectionId/move',
  summary: 'Move a collection within its place, into another collection, or to the top level',
  description:
    'Without `parent`, the collection stays in its collection; `null` means the top level. Without `position`, it is placed at the end. The request fails with 403 if it would give a user a role above that of the caller, or take such a role away. It fails with 409 if the collection is there already, or would be inside itself.',
  access: onCollection('create'),
  params: InCollection,
  body: Type.Object({ parent: Type.Optional(nullable(Id)), position: Type.Optional(Position) }),
  returns: Collection,
  async handler({ tx, me, urls, body, collection, role, organizationRole, now }) {
    const { id } = collection
    const thing = { kind: 'collection', id } as const
    const to = await moveDestination(tx, { ...me, organizationRole }, { ...collection, ...thing }, body)
    const move = () =>
      tx
        .updateTable('collection')
        .set({ ...to, updatedAt: now.toISOString() })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
    const moved =
      to.parent === collection.parent ? await move() : await changeWithin(tx, { thing, role }, move)
    const found = await findCollection(tx, me, id)
    return toCollection(urls, moved, found?.role ?? null)
  },
})

export const transferCollection = route({
  method: 'POST',
  path: '/v1/collections/:collectionId/transfer',
  summary: 'Transfer a collection and everything in it to another organization',
  description:
    'The caller must be an administrator of both organizations. The collection is placed at the end of the top level. Grants, invite links and custom-field values are deleted, and so are review requests to users who are not members of the new organization. The request fails with 409 if the collection belongs to the organization already, and with 412 while one of its spaces is part of a site.',
  access: onCollection('admin'),
  params: InCollection,
  body: Type.Object({ organization: Id }),
  returns: Collection,
  async handler({ tx, me, urls, body, collection, organizationRole, now, audit }) {
    const { id, organizationId } = collection
    const to = await needTargetPlace(tx, me, { organizationId, organizationRole }, body.organization)
    const collections = within(await collectionsOf(tx, organizationId), id)
    const spaces: string[] = []
    for (const ids of chunks(collections)) {
      const rows = await tx.selectFrom('space').select('id').where('parent', 'in', ids).execute()
      append(
        spaces,
        rows.map((row) => row.id),
      )
    }
    const lost = await transferThings(tx, { collections, spaces }, to.organizationId, now)
    await moveIndexing(tx, { spaceIds: spaces, organizationId: to.organizationId, now })
    audit(transferAuditNote(collection, to.organizationId, lost))

    const moved = await tx
      .updateTable('collection')
      .set({ parent: to.parent, position: to.position })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toCollection(urls, moved, 'admin')
  },
})

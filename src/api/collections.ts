import { Type } from 'typebox'
import { findCollection, needPlace, onCollection, onCollectionIfThere } from '../access/on.ts'
import { loadReach } from '../access/reach.ts'
import { within } from '../core/nesting.ts'
import { conflict } from '../http/errors.ts'
import { listOf, listPage, ListQuery, textsAfter } from '../http/page.ts'
import { GONE, route } from '../http/route.ts'
import {
  Collection,
  CollectionTitle,
  collectionsOf,
  refuseNesting,
  toCollection,
} from '../model/collection.ts'
import { DefaultLevelSchema, Id, InCollection, nullable } from '../model/common.ts'
import { keepAccess } from '../model/grant.ts'
import { changeWithin } from '../model/change-within.ts'
import { endOf, moveTo, Position } from '../model/place.ts'
import { Space, toSpaces } from '../model/space.ts'
import { chunks, forget, needTarget, transferThings, transferTold } from '../model/transfer.ts'
import { refuseWithin, trashWithin } from '../model/trash.ts'

export const getCollectionById = route({
  method: 'GET',
  path: '/v1/collections/:collectionId',
  summary: 'A collection',
  access: onCollection('read'),
  params: InCollection,
  returns: Collection,
  async handler({ at, collection, role }) {
    return toCollection(at, collection, role)
  },
})

export const updateCollectionById = route({
  method: 'PATCH',
  path: '/v1/collections/:collectionId',
  summary: 'Change a collection',
  description:
    'Absent fields stay; null clears the description. Whoever sets a level that would shut themselves out keeps their role by a direct grant.',
  access: onCollection('create'),
  params: InCollection,
  body: Type.Object({
    title: Type.Optional(CollectionTitle),
    description: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
    defaultLevel: Type.Optional(DefaultLevelSchema),
  }),
  returns: Collection,
  async handler({ tx, me, at, body, collection, role, now }) {
    const { id, organizationId } = collection
    const thing = { kind: 'collection', id } as const
    const update = async () => {
      const updated = await tx
        .updateTable('collection')
        .set({ ...body, updatedAt: now.toISOString() })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      const kept = await keepAccess(tx, me, thing, { organizationId, role, now })
      return toCollection(at, updated, kept)
    }
    const sameLevel = body.defaultLevel === undefined || body.defaultLevel === collection.defaultLevel
    return sameLevel ? update() : changeWithin(tx, { thing, role }, update)
  },
})

export const deleteCollectionById = route({
  method: 'DELETE',
  path: '/v1/collections/:collectionId',
  summary: 'Delete a collection with all that is in it',
  description:
    'Collections in it are deleted with it. Its spaces go to the trash; within 7 days each can be restored to where the collection was. 403 without the role "create" on everything in it.',
  access: onCollectionIfThere('create'),
  params: InCollection,
  status: 205,
  async handler({ tx, me, enqueue, found, now }) {
    if (!found) return GONE
    const { id, organizationId } = found.collection
    const inside = within(await collectionsOf(tx, organizationId), id)
    const member = { userId: me.userId, organizationId, role: found.organizationRole }
    const reach = await loadReach(tx, member)
    await refuseWithin(tx, inside, reach)
    await trashWithin(tx, enqueue, inside, { member, reach, now })

    await forget(tx, 'collection', inside)
    // The innermost first: each is referred to by those in it.
    for (const one of inside.toReversed()) await tx.deleteFrom('collection').where('id', '=', one).execute()
    return undefined
  },
})

export const listSpacesInCollectionById = route({
  method: 'GET',
  path: '/v1/collections/:collectionId/spaces',
  summary: 'The spaces in a collection that the caller may see, in their order',
  description: 'Those directly in it; collections in it have their own.',
  access: onCollection('read'),
  params: InCollection,
  query: ListQuery,
  returns: listOf(Space),
  async handler({ db, me, at, collection, organizationRole, page }) {
    const { organizationId } = collection
    const reach = await loadReach(db, { userId: me.userId, organizationId, role: organizationRole })
    const visible = db
      .selectFrom('space')
      .where('organizationId', '=', organizationId)
      .where('parent', '=', collection.id)
      .where('deletedAt', 'is', null)
      .where(reach.spacesFrom('read'))
    const [position = '', id = ''] = textsAfter(page) ?? []
    const rows = await visible
      .selectAll()
      .$if(page.after !== undefined, (spaces) =>
        spaces.where((eb) =>
          eb.or([eb('position', '>', position), eb.and([eb('position', '=', position), eb('id', '>', id)])]),
        ),
      )
      .orderBy('position')
      .orderBy('id')
      .limit(page.limit + 1)
      .execute()
    const { count } = await visible.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
    const { items, ...envelope } = listPage(rows, Number(count), page, (row) => [row.position, row.id])
    return { ...envelope, items: await toSpaces(at, db, items, await reach.onSpaces(db, items)) }
  },
})

export const moveCollection = route({
  method: 'POST',
  path: '/v1/collections/:collectionId/move',
  summary: 'Move a collection with all that is in it, into another or to the top level',
  description:
    'An absent `parent` keeps it where it is, null is the top level. Without a `position` it goes to the end. 403 if that would give somebody a role above the caller’s own, or take one from them; 409 if it is there already, or would be in itself.',
  access: onCollection('create'),
  params: InCollection,
  body: Type.Object({ parent: Type.Optional(nullable(Id)), position: Type.Optional(Position) }),
  returns: Collection,
  async handler({ tx, me, at, body, collection, role, organizationRole, now }) {
    const { id, organizationId } = collection
    const thing = { kind: 'collection', id } as const
    const parent = body.parent === undefined ? collection.parent : body.parent
    await needPlace(tx, me, { organizationId, organizationRole }, parent)
    await refuseNesting(tx, organizationId, id, parent)
    const place = { organizationId, parent }
    const position = await moveTo(tx, { ...me, organizationRole }, thing, place, body.position)
    if (position === undefined) throw conflict('The collection is there already')

    const move = () =>
      tx
        .updateTable('collection')
        .set({ parent, position, updatedAt: now.toISOString() })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
    const moved = parent === collection.parent ? await move() : await changeWithin(tx, { thing, role }, move)
    const found = await findCollection(tx, me, id)
    return toCollection(at, moved, found?.role ?? null)
  },
})

export const transferCollection = route({
  method: 'POST',
  path: '/v1/collections/:collectionId/transfer',
  summary: 'Transfer a collection with all that is in it to another organization',
  description:
    'For administrators of both. It goes to the end of the top level; grants, invite links and custom-field values of the old organization stay behind. 409 if it is there already, 412 while one of its spaces is part of a site.',
  access: onCollection('admin'),
  params: InCollection,
  body: Type.Object({ organization: Id }),
  returns: Collection,
  async handler({ tx, me, at, body, collection, organizationRole, now, audit }) {
    const { id, organizationId } = collection
    const target = await needTarget(tx, me, { organizationId, organizationRole }, body.organization)
    const collections = within(await collectionsOf(tx, organizationId), id)
    const position = await endOf(tx, { organizationId: target.id, parent: null })
    const spaces: string[] = []
    for (const ids of chunks(collections)) {
      const rows = await tx.selectFrom('space').select('id').where('parent', 'in', ids).execute()
      spaces.push(...rows.map((row) => row.id))
    }
    const lost = await transferThings(tx, { collections, spaces }, target.id, now)
    audit(transferTold(collection, target.id, lost))

    const moved = await tx
      .updateTable('collection')
      .set({ parent: null, position })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toCollection(at, moved, 'admin')
  },
})

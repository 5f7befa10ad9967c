import { type Static, Type } from 'typebox'
import { collectionPermissions } from '../access/roles.ts'
import { nestingFault } from '../core/nesting.ts'
import type { Reader, Role, Row, Tx } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import { conflict } from '../http/errors.ts'
import { DefaultLevelSchema, oneOf, present, titleOf, Uri } from './common.ts'
import { endOf } from './place.ts'

export const CollectionTitle = titleOf(50)

export const Collection = Type.Object(
  {
    object: oneOf(['collection']),
    id: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    organization: Type.String(),
    parent: Type.Optional(Type.String()),
    defaultLevel: DefaultLevelSchema,
    urls: Type.Object({ location: Uri, app: Uri }),
    permissions: Type.Object({
      view: Type.Boolean(),
      admin: Type.Boolean(),
      viewInviteLinks: Type.Boolean(),
      create: Type.Boolean(),
    }),
  },
  { title: 'Collection' },
)
export type Collection = Static<typeof Collection>

/** @param role the caller's effective role on the collection */
export function toCollection(at: Addresses, row: Row<'collection'>, role: Role | null): Collection {
  return {
    object: 'collection',
    id: row.id,
    title: row.title,
    ...present({ description: row.description, parent: row.parent }),
    organization: row.organizationId,
    defaultLevel: row.defaultLevel,
    urls: { location: at.api(`/collections/${row.id}`), app: at.app(`/c/${row.id}`) },
    permissions: collectionPermissions(role),
  }
}

/** The collections of an organization, as far as nesting and levels go. */
export function collectionsOf(db: Reader, organizationId: string) {
  return db
    .selectFrom('collection')
    .select(['id', 'parent', 'defaultLevel'])
    .where('organizationId', '=', organizationId)
    .execute()
}

/** Refuses to put a collection in itself, or too deep. @param id null for a new one @throws 409 */
export async function refuseNesting(
  tx: Tx,
  organizationId: string,
  id: string | null,
  parent: string | null,
): Promise<void> {
  // What is read here is what a move at the same time writes, so of two that make a cycle together one runs again.
  const fault = nestingFault(await collectionsOf(tx, organizationId), id, parent)
  if (fault === 'cycle') throw conflict('A collection cannot be in itself or in a collection that it holds')
  if (fault === 'too-deep') throw conflict('Collections can be 20 deep in one another, not deeper')
}

/** Creates a collection at the end of its place, with the access that this gives. */
export async function insertCollection(
  tx: Tx,
  fields: {
    organizationId: string
    title?: string | undefined
    parent?: string | undefined
    now: Date
    newId: () => string
  },
): Promise<Row<'collection'>> {
  const { organizationId, now } = fields
  const createdAt = now.toISOString()
  const parent = fields.parent ?? null
  const collection: Row<'collection'> = {
    id: fields.newId(),
    organizationId,
    parent,
    position: await endOf(tx, { organizationId, parent }),
    title: fields.title ?? 'Untitled',
    description: null,
    defaultLevel: 'inherit',
    createdAt,
    updatedAt: createdAt,
  }
  await tx.insertInto('collection').values(collection).execute()
  return collection
}

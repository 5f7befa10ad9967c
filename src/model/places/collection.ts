import { type Static, Type } from 'typebox'
import { collectionPermissions } from '../../access/roles/roles.ts'
import { nestingFault } from '../../core/data/nesting.ts'
import type { Reader, Role, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { conflict } from '../../http/errors.ts'
import { DefaultLevelSchema, oneOf, omitNullish, titleSchema, Uri } from '../common.ts'
import { endOf } from './place.ts'
import { because } from '../../core/languages/reasons.ts'

export const CollectionTitle = titleSchema(50)

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
export function toCollection(urls: Urls, row: Row<'collection'>, role: Role | null): Collection {
  return {
    object: 'collection',
    id: row.id,
    title: row.title,
    ...omitNullish({ description: row.description, parent: row.parent }),
    organization: row.organizationId,
    defaultLevel: row.defaultLevel,
    urls: { location: urls.api(`/collections/${row.id}`), app: urls.app(`/c/${row.id}`) },
    permissions: collectionPermissions(role),
  }
}

/** The id, parent and default level of each collection of an organization. */
export function collectionsOf(db: Reader, organizationId: string) {
  return db
    .selectFrom('collection')
    .select(['id', 'parent', 'defaultLevel'])
    .where('organizationId', '=', organizationId)
    .execute()
}

/** Checks that a move would not create a cycle or nest too deeply. @param id null for a new collection @throws 409 */
export async function refuseNesting(
  tx: Tx,
  organizationId: string,
  id: string | null,
  parent: string | null,
): Promise<void> {
  // A concurrent move writes the rows that this query reads. If two moves would form a cycle, one of them is repeated.
  const fault = nestingFault(await collectionsOf(tx, organizationId), id, parent)
  if (fault === 'cycle') throw conflict(because('collection-in-itself'))
  if (fault === 'too-deep') throw conflict(because('collections-too-deep'))
}

/** Creates a collection at the end of its place. It inherits its access. */
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

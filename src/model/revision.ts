import { update } from '../core/map-edit.ts'
import type { NewNode } from '../core/map-edit.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../core/revision.ts'
import type { Reader, RevisionType, Row, Tx } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'
import { nodesOf } from './content.ts'

/** A revision of a space. @throws 404 */
export async function needRevision(db: Reader, spaceId: string, id: string): Promise<Row<'revision'>> {
  const revision = await db
    .selectFrom('revision')
    .selectAll()
    .where('id', '=', id)
    .where('spaceId', '=', spaceId)
    .executeTakeFirst()
  if (!revision) throw notFound()
  return revision
}

/** Records to set, or to remove where null, by id. */
export interface Changes {
  pages?: ReadonlyMap<string, PageRecord | null>
  files?: ReadonlyMap<string, FileRecord | null>
  reusables?: ReadonlyMap<string, ReusableRecord | null>
  variables?: Record<string, unknown>
  redirects?: Record<string, string>
}

/** Writes the revision that follows `parent` and makes it the space's. Documents and blobs must be there already. */
export async function commitRevision(
  tx: Tx,
  parent: Row<'revision'>,
  changes: Changes,
  fields: { id: string; type: RevisionType; message: string; userId: string; now: Date },
): Promise<Row<'revision'>> {
  const { spaceId } = parent
  const edited = async <V>(root: string | null, records: ReadonlyMap<string, V | null> | undefined) => {
    if (!records || records.size === 0) return root
    const next = await update<V>(root, records, nodesOf<V>(tx, spaceId))
    await storeNodes(tx, spaceId, next.nodes)
    return next.root
  }

  const createdAt = fields.now.toISOString()
  const revision: Row<'revision'> = {
    id: fields.id,
    spaceId,
    type: fields.type,
    parents: JSON.stringify([parent.id]),
    pages: await edited(parent.pages, changes.pages),
    files: await edited(parent.files, changes.files),
    reusables: await edited(parent.reusables, changes.reusables),
    variables: changes.variables ? JSON.stringify(changes.variables) : parent.variables,
    redirects: changes.redirects ? JSON.stringify(changes.redirects) : parent.redirects,
    message: fields.message,
    createdBy: fields.userId,
    createdAt,
  }
  await tx.insertInto('revision').values(revision).execute()
  await tx
    .updateTable('space')
    .set({ revisionId: revision.id, updatedAt: createdAt })
    .where('id', '=', spaceId)
    .execute()
  return revision
}

const ROWS = 100

async function storeNodes<V>(tx: Tx, spaceId: string, nodes: ReadonlyMap<string, NewNode<V>>): Promise<void> {
  const rows = [...nodes].map(([hash, { json }]) => ({ spaceId, hash, data: json }))
  for (let start = 0; start < rows.length; start += ROWS) {
    await tx
      .insertInto('node')
      .values(rows.slice(start, start + ROWS))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Stores Markdown sources under their hashes. Sources are never changed, so storing one again does nothing. */
export async function storeDocuments(
  tx: Tx,
  spaceId: string,
  sources: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = [...sources].map(([hash, source]) => ({ spaceId, hash, source }))
  for (let start = 0; start < rows.length; start += ROWS) {
    await tx
      .insertInto('document')
      .values(rows.slice(start, start + ROWS))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

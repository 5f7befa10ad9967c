/**
 * The documents of imports, which are stored before the transaction that names them in a revision. Each is recorded with
 * its import, so that those of an import that was interrupted or refused can be deleted later.
 */
import type { Tx } from '../../../db/schema.ts'
import { unavailable } from '../../../http/errors.ts'
import type { Enqueue } from '../../../http/route.ts'
import { insertDocuments, type StoredDocument } from './stored-document.ts'
import { because } from '../../../core/languages/reasons.ts'

/** An import that stores documents. */
export interface StoringImport {
  id: string
  spaceId: string
}

/** An import that is not written after this time never will be. The longest take minutes. */
const ABANDONED_AFTER_MS = 3 * 3_600_000
/** How many documents one transaction deletes, which is also how long it keeps others waiting. */
const ENDED_AT_ONCE = 200

/** Records an import before its first document. */
export async function beginImport(
  tx: Tx,
  { id, spaceId }: StoringImport,
  { enqueue, now }: { enqueue: Enqueue; now: Date },
): Promise<void> {
  await tx.insertInto('contentImport').values({ id, spaceId, state: 'storing' }).execute()
  const runAt = new Date(now.getTime() + ABANDONED_AFTER_MS)
  await enqueue(tx, 'end-import', { id }, { runAt })
}

/** Stores documents of an import. Those that the space has for good need no record. */
export async function storeImported(
  tx: Tx,
  { id, spaceId }: StoringImport,
  documents: readonly StoredDocument[],
): Promise<void> {
  const added = await insertDocuments(tx, spaceId, documents)
  const others = await tx
    .selectFrom('importedDocument')
    .select('hash')
    .where('spaceId', '=', spaceId)
    .where(
      'hash',
      'in',
      documents.map(({ hash }) => hash),
    )
    .execute()
  const recorded = new Set([...added, ...others.map(({ hash }) => hash)])
  if (recorded.size === 0) return
  await tx
    .insertInto('importedDocument')
    .values([...recorded].map((hash) => ({ spaceId, hash, importId: id })))
    .onConflict((known) => known.doNothing())
    .execute()
}

/** Records that a revision names the documents of an import. @throws 503 if they may be deleted by now */
export async function endStoring(tx: Tx, id: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('contentImport')
    .set({ state: 'written' })
    .where('id', '=', id)
    .where('state', '=', 'storing')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw unavailable(because('import-too-slow-to-store'))
}

/** Abandons an import unless it is written. @returns whether it is abandoned; undefined if its end is over */
export async function abandonImport(tx: Tx, id: string): Promise<boolean | undefined> {
  await tx
    .updateTable('contentImport')
    .set({ state: 'abandoned' })
    .where('id', '=', id)
    .where('state', '=', 'storing')
    .execute()
  const known = await tx.selectFrom('contentImport').select('state').where('id', '=', id).executeTakeFirst()
  return known && known.state === 'abandoned'
}

/**
 * Deletes records of an import, and of one that was abandoned their documents too, unless another import has stored them as
 * well. When none is left, it deletes the import.
 * @returns whether there are more
 */
export async function endImport(tx: Tx, id: string, isAbandoned: boolean): Promise<boolean> {
  const rows = await tx
    .selectFrom('importedDocument')
    .select(['spaceId', 'hash'])
    .where('importId', '=', id)
    .limit(ENDED_AT_ONCE)
    .execute()
  const [first] = rows
  if (!first) {
    await tx.deleteFrom('contentImport').where('id', '=', id).execute()
    return false
  }
  const { spaceId } = first
  const hashes = rows.map(({ hash }) => hash)
  if (!isAbandoned) {
    // A revision names the documents, so they stay, whichever import stored them too.
    await tx
      .deleteFrom('importedDocument')
      .where('spaceId', '=', spaceId)
      .where('hash', 'in', hashes)
      .execute()
    return true
  }

  await tx.deleteFrom('importedDocument').where('importId', '=', id).where('hash', 'in', hashes).execute()
  const others = await tx
    .selectFrom('importedDocument')
    .select('hash')
    .where('spaceId', '=', spaceId)
    .where('hash', 'in', hashes)
    .execute()
  const used = new Set(others.map(({ hash }) => hash))
  const unused = hashes.filter((hash) => !used.has(hash))
  if (unused.length > 0)
    await tx.deleteFrom('document').where('spaceId', '=', spaceId).where('hash', 'in', unused).execute()
  return true
}

/** Documents as they are stored: Markdown sources under the hash of their content, with their links. */
import { type DocumentLinks, LINKS_VERSION, linksIn } from '../../../core/document/links/links-in.ts'
import { isQuick } from '../../../core/document/quick.ts'
import { append } from '../../../core/data/lists.ts'
import { sourceProblem } from '../../../core/content/limits.ts'
import { chunks } from '../../../db/chunks.ts'
import type { Row, Tx } from '../../../db/schema.ts'
import { conflict } from '../../../http/errors.ts'
import { noteStored } from '../burst-content.ts'

/** How many rows one statement inserts, which is also how long it keeps others waiting. */
const DOCUMENTS_AT_ONCE = 50

/** A Markdown source as it is stored: under its hash, with its links as JSON. */
export type StoredDocument = Omit<Row<'document'>, 'spaceId'>

/** A Markdown source as it is stored. The links of a source that is not parsed yet are read when they are first needed. */
export function toStoredDocument(hash: string, source: string, links?: DocumentLinks): StoredDocument {
  return { hash, source, links: JSON.stringify(links ? { version: LINKS_VERSION, ...links } : {}) }
}

/**
 * Stores Markdown sources under their hashes, with their links. Sources are never changed, so storing one again does
 * nothing.
 * @param known the links of sources that are parsed already, by hash. Those of other large sources are read when they are
 *   first needed, because a transaction must not wait for that
 * @param burst the burst of saves that stores them
 * @throws 409 if a source is too large, which every writer checks before
 */
export async function storeDocuments(
  tx: Tx,
  spaceId: string,
  sources: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, DocumentLinks> = new Map(),
  burst?: string,
): Promise<void> {
  for (const [hash, source] of sources) {
    const problem = sourceProblem(hash, source)
    if (problem !== undefined) throw conflict(problem)
  }
  for (const some of chunks([...sources], DOCUMENTS_AT_ONCE)) {
    const documents = some.map(([hash, source]) =>
      toStoredDocument(hash, source, known.get(hash) ?? (isQuick(source) ? linksIn(source) : undefined)),
    )
    const added = new Set(await insertDocuments(tx, spaceId, documents, burst))
    const present = some.flatMap(([hash]) => (added.has(hash) ? [] : [hash]))
    if (present.length > 0) await keepDocuments(tx, spaceId, present)
  }
}

/** Stores documents whose sources are checked already. @returns the hashes of those that the space did not have */
export async function insertDocuments(
  tx: Tx,
  spaceId: string,
  documents: readonly StoredDocument[],
  burst?: string,
): Promise<string[]> {
  const added: string[] = []
  for (const some of chunks(documents, DOCUMENTS_AT_ONCE)) {
    const rows = await tx
      .insertInto('document')
      .values(some.map((document) => ({ spaceId, ...document })))
      .onConflict((hash) => hash.doNothing())
      .returning('hash')
      .execute()
    const inserted = rows.map(({ hash }) => hash)
    const hashes = some.map(({ hash }) => hash)
    await noteStored(tx, { spaceId, kind: 'document', hashes, added: inserted, burst })
    append(added, inserted)
  }
  return added
}

/** Keeps documents although an import stored them that may never end: a revision names them now. */
async function keepDocuments(tx: Tx, spaceId: string, hashes: readonly string[]): Promise<void> {
  await tx.deleteFrom('importedDocument').where('spaceId', '=', spaceId).where('hash', 'in', hashes).execute()
}

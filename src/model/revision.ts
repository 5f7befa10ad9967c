import { type DocumentLinks, linksIn } from '../core/document/links-in.ts'
import { diff, getMany, type Root } from '../core/map.ts'
import { update } from '../core/map-edit.ts'
import type { NewNode } from '../core/map-edit.ts'
import { leavesPlace, type OldPlaces, oldPlacesAfter, oldPlacesFrom } from '../core/old-places.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../core/revision.ts'
import type { Reader, RevisionType, Row, Tx } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'
import { nodesOf, oldPlacesOf, rememberNodes } from './content.ts'

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
  /** Where pages stood before, as another content remembers it; what these changes move is added by itself. */
  oldPlaces?: OldPlaces
}

/** Whether changes leave the content as it is. */
export function isNothing({ pages, files, reusables, variables, redirects }: Changes): boolean {
  const records = [pages, files, reusables].reduce((sum, map) => sum + (map?.size ?? 0), 0)
  return records === 0 && variables === undefined && redirects === undefined
}

/** What a revision says of itself. */
export interface Reason {
  id: string
  type: RevisionType
  message: string
  userId: string
  now: Date
  /** The change request whose content it is; absent: the primary content of the space. */
  changeRequest?: Pick<Row<'changeRequest'>, 'id'> | undefined
  /** What was merged into `parent`: its second parent. */
  merged?: string | undefined
  /** Of a merge: the change request as it was. */
  mergedFrom?: object | undefined
}

/**
 * Writes the revision that follows `parent`, and makes it the newest of the space or of the change request. Documents
 * and blobs must be there already.
 */
export async function commitRevision(
  tx: Tx,
  parent: Row<'revision'>,
  changes: Changes,
  reason: Reason,
): Promise<Row<'revision'>> {
  const { spaceId } = parent
  const { changeRequest } = reason
  const edited = async <V>(root: string | null, records: ReadonlyMap<string, V | null> | undefined) => {
    if (!records || records.size === 0) return root
    const next = await update<V>(root, records, nodesOf<V>(tx, spaceId))
    await storeNodes(tx, spaceId, next.nodes)
    rememberNodes(next.nodes)
    return next.root
  }

  const createdAt = reason.now.toISOString()
  const line = changeRequest?.id ?? null
  const revision: Row<'revision'> = {
    id: reason.id,
    spaceId,
    type: reason.type,
    parents: JSON.stringify(reason.merged === undefined ? [parent.id] : [parent.id, reason.merged]),
    pages: await edited(parent.pages, changes.pages),
    files: await edited(parent.files, changes.files),
    reusables: await edited(parent.reusables, changes.reusables),
    variables: changes.variables ? JSON.stringify(changes.variables) : parent.variables,
    redirects: changes.redirects ? JSON.stringify(changes.redirects) : parent.redirects,
    oldPlaces: await edited(parent.oldPlaces, await placesLeft(tx, parent, changes)),
    changeRequestId: line,
    sequence: parent.changeRequestId === line ? parent.sequence + 1 : 1,
    mergedFrom: reason.mergedFrom ? JSON.stringify(reason.mergedFrom) : null,
    message: reason.message,
    createdBy: reason.userId,
    createdAt,
  }
  await tx.insertInto('revision').values(revision).execute()
  const newest = { revisionId: revision.id, updatedAt: createdAt }
  await (
    changeRequest
      ? tx.updateTable('changeRequest').set(newest).where('id', '=', changeRequest.id)
      : tx.updateTable('space').set(newest).where('id', '=', spaceId)
  ).execute()
  return revision
}

/** What the map of old places gains and loses: where pages stood that are moved, and what is taken over. */
async function placesLeft(
  tx: Tx,
  parent: Row<'revision'>,
  { pages, oldPlaces }: Changes,
): Promise<Map<string, string | null>> {
  const taken = oldPlaces
    ? oldPlacesFrom(await oldPlacesOf(tx, parent), oldPlaces)
    : new Map<string, string>()
  const before = await getMany<PageRecord>(parent.pages, pages?.keys() ?? [], nodesOf(tx, parent.spaceId))
  const left = [...before.values()]
    .map((page) => ({ before: page, after: pages!.get(page.id) ?? null }))
    .filter(leavesPlace)
  // Most revisions move no page, and need not look at what the others have left.
  if (left.length === 0) return taken

  const known = new Map([...(await oldPlacesOf(tx, parent)), ...taken])
  return new Map([...taken, ...oldPlacesAfter(known, left, parent.id)])
}

/** Writes the revision that follows `parent` and has the content of `earlier`, which shares all it holds with that. */
export async function restoreContent(
  tx: Tx,
  parent: Row<'revision'>,
  earlier: Row<'revision'>,
  reason: Reason,
): Promise<Row<'revision'>> {
  const toward = async <V>(from: Root, to: Root) => {
    const changes = await diff<V>(from, to, nodesOf<V>(tx, parent.spaceId))
    return new Map(changes.map(({ key, after }) => [key, after ?? null]))
  }
  const changes: Changes = {
    pages: await toward<PageRecord>(parent.pages, earlier.pages),
    files: await toward<FileRecord>(parent.files, earlier.files),
    reusables: await toward<ReusableRecord>(parent.reusables, earlier.reusables),
    variables: JSON.parse(earlier.variables) as Record<string, unknown>,
    redirects: JSON.parse(earlier.redirects) as Record<string, string>,
    oldPlaces: await oldPlacesOf(tx, earlier),
  }
  return commitRevision(tx, parent, changes, reason)
}

/** Maps with the same content have the same root. */
export function hasSameContent(a: Row<'revision'>, b: Row<'revision'>): boolean {
  const parts = ['pages', 'files', 'reusables', 'variables', 'redirects'] as const
  return parts.every((part) => a[part] === b[part])
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

/**
 * Stores Markdown sources under their hashes, with their links. Sources are never changed, so storing one again does
 * nothing. @param known links of those that were read already, by hash
 */
export async function storeDocuments(
  tx: Tx,
  spaceId: string,
  sources: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, DocumentLinks> = new Map(),
): Promise<void> {
  const all = [...sources]
  for (let start = 0; start < all.length; start += ROWS) {
    const rows = all.slice(start, start + ROWS).map(([hash, source]) => {
      return { spaceId, hash, links: JSON.stringify(known.get(hash) ?? linksIn(source)), source }
    })
    await tx
      .insertInto('document')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

import { cacheTags } from '../../core/web/cache-tags.ts'
import { revalidate } from '../revalidation.ts'
import { diff, getMany } from '../../core/content/prolly-tree/read.ts'
import type { Load, Root } from '../../core/content/prolly-tree/node.ts'
import { update } from '../../core/content/prolly-tree/edit.ts'
import type { NewNode } from '../../core/content/prolly-tree/edit.ts'
import {
  indexOldPlaces,
  leavesPlace,
  type OldPlaces,
  oldPlacesAfter,
  oldPlacesFrom,
} from '../../core/content/old-places.ts'
import { pathProblems } from '../../core/content/repository-paths.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../core/content/revision.ts'
import { append } from '../../core/data/lists.ts'
import { chunks } from '../../db/chunks.ts'
import type { Reader, RevisionType, Row, Tx } from '../../db/schema.ts'
import { conflict, notFound } from '../../http/errors.ts'
import { type Burst, needReplaced, replaceRevision } from './burst.ts'
import { noteStored } from './burst-content.ts'
import { filesOf, nodesOf, oldPlacesOf, pagesOf, rememberNodes, reusablesOf } from './content.ts'
import { askForIndex } from './search-task.ts'

/** How many rows one statement inserts, which is also how long it keeps others waiting. */
const NODES_AT_ONCE = 100

/** A revision of a space, of the history or one that a later save replaced a moment ago. @throws 404 */
export async function needRevision(db: Reader, spaceId: string, id: string): Promise<Row<'revision'>> {
  const revision = await db
    .selectFrom('revision')
    .selectAll()
    .where('id', '=', id)
    .where('spaceId', '=', spaceId)
    .executeTakeFirst()
  return revision ?? needReplaced(db, spaceId, id)
}

/** The newest revision of a space or change request. @throws 404 */
export async function newestRevision(
  db: Reader,
  of: 'space' | 'changeRequest',
  id: string,
): Promise<Row<'revision'>> {
  const revision = await db
    .selectFrom('revision')
    .selectAll()
    .where('id', '=', db.selectFrom(of).select('revisionId').where('id', '=', id))
    .executeTakeFirst()
  if (!revision) throw notFound('revision')
  return revision
}

/** Records to set by id; null removes a record. */
export interface Changes {
  pages?: ReadonlyMap<string, PageRecord | null>
  files?: ReadonlyMap<string, FileRecord | null>
  reusables?: ReadonlyMap<string, ReusableRecord | null>
  variables?: Record<string, unknown>
  redirects?: Record<string, string>
  /** Former paths of pages to add from another content. Those of the pages moved here are added automatically. */
  oldPlaces?: OldPlaces
  /** The maps of the new revision, if `makeMaps` has made them before the transaction. */
  made?: MadeMaps
}

/** The maps that changes make of those of a content. */
export interface NewMaps {
  pages: MadeMap<PageRecord>
  files: MadeMap<FileRecord>
  reusables: MadeMap<ReusableRecord>
}

/** The maps that changes make of those of a revision. */
export interface MadeMaps extends NewMaps {
  /** The revision that is changed. */
  parent: string
}

interface MadeMap<V> {
  root: Root
  nodes: ReadonlyMap<string, NewNode<V>>
}

/** Makes the maps of a large revision before its transaction, so that other writers need not wait for that. */
export async function makeMaps(db: Reader, parent: Row<'revision'>, changes: Changes): Promise<MadeMaps> {
  const { pages, files, reusables } = await makeContent(db, parent, changes)
  return { parent: parent.id, pages, files, reusables }
}

/** Makes the maps that changes make of those of a content. */
export async function makeContent(
  db: Reader,
  content: Pick<Row<'revision'>, 'spaceId' | 'pages' | 'files' | 'reusables'>,
  changes: Pick<Changes, 'pages' | 'files' | 'reusables'>,
): Promise<NewMaps> {
  const load = <V>() => nodesOf<V>(db, content.spaceId)
  return {
    pages: await makeMap(content.pages, changes.pages, load<PageRecord>()),
    files: await makeMap(content.files, changes.files, load<FileRecord>()),
    reusables: await makeMap(content.reusables, changes.reusables, load<ReusableRecord>()),
  }
}

/** Stores the nodes of maps of a space that no revision has. @returns the roots */
export async function storeMaps(
  tx: Tx,
  spaceId: string,
  { pages, files, reusables }: NewMaps,
): Promise<Pick<Row<'revision'>, 'pages' | 'files' | 'reusables'>> {
  return {
    pages: await storeMap(tx, spaceId, pages),
    files: await storeMap(tx, spaceId, files),
    reusables: await storeMap(tx, spaceId, reusables),
  }
}

async function makeMap<V>(
  root: Root,
  records: ReadonlyMap<string, V | null> | undefined,
  load: Load<V>,
): Promise<MadeMap<V>> {
  if (!records || records.size === 0) return { root, nodes: new Map() }
  return update<V>(root, records, load)
}

/** Whether the changes are empty. */
export function isNothing({ pages, files, reusables, variables, redirects }: Changes): boolean {
  const records = [pages, files, reusables].reduce((sum, map) => sum + (map?.size ?? 0), 0)
  return records === 0 && variables === undefined && redirects === undefined
}

/** The metadata of a new revision. */
export interface Reason {
  id: string
  type: RevisionType
  message: string
  userId: string
  /** The author of the suggestion that the revision applies. */
  coAuthorId?: string
  now: Date
  /** The change request of the revision; absent for the primary content of the space. */
  changeRequest?: Pick<Row<'changeRequest'>, 'id'> | undefined
  /** The second parent, which is merged into `parent`. */
  merged?: string | undefined
  /** The change request of a merge, as it was then. */
  mergedFrom?: object | undefined
  /** The burst of saves that the revision belongs to. If it replaces a revision, that one must be the parent. */
  burst?: Burst | undefined
}

/**
 * Writes the revision that follows `parent`, and makes it the newest of the space or change request. Its documents and
 * blobs must be stored already.
 * @throws 409 if the changes give a repository path to a second page or file
 */
export async function commitRevision(
  tx: Tx,
  parent: Row<'revision'>,
  changes: Changes,
  reason: Reason,
): Promise<Row<'revision'>> {
  const revision = await writeRevision(tx, parent, changes, reason)
  // If the content of a revision is merged unchanged (fast-forward), it was checked when that revision was written.
  const merged = reason.merged && (await needRevision(tx, parent.spaceId, reason.merged))
  if (!merged || !hasSameContent(revision, merged)) await checkPaths(tx, parent, changes)
  return revision
}

/** Checks the rule of repository paths, so that no operation that changes content can break it. */
async function checkPaths(tx: Tx, parent: Row<'revision'>, changes: Changes): Promise<void> {
  const before = {
    pages: await pagesOf(tx, parent),
    files: await filesOf(tx, parent),
    reusables: await reusablesOf(tx, parent),
  }
  const [problem] = pathProblems(before, changes)
  if (problem !== undefined) throw conflict(problem)
}

async function writeRevision(
  tx: Tx,
  parent: Row<'revision'>,
  changes: Changes,
  reason: Reason,
): Promise<Row<'revision'>> {
  const { spaceId } = parent
  const { changeRequest } = reason
  const { burst } = reason
  const stored = <V>(map: MadeMap<V>) => storeMap(tx, spaceId, map, burst?.id)
  const made = changes.made?.parent === parent.id ? changes.made : await makeMaps(tx, parent, changes)
  const left = await placesLeft(tx, parent, changes)
  await keepNamed(tx, spaceId, changes, burst?.id)

  const createdAt = reason.now.toISOString()
  const line = changeRequest?.id ?? null
  const revision: Row<'revision'> = {
    id: reason.id,
    spaceId,
    type: reason.type,
    parents:
      burst?.replaces?.parents ??
      JSON.stringify(reason.merged === undefined ? [parent.id] : [parent.id, reason.merged]),
    pages: await stored(made.pages),
    files: await stored(made.files),
    reusables: await stored(made.reusables),
    variables: changes.variables ? JSON.stringify(changes.variables) : parent.variables,
    redirects: changes.redirects ? JSON.stringify(changes.redirects) : parent.redirects,
    oldPlaces: await stored(await makeMap(parent.oldPlaces, left, nodesOf<string>(tx, spaceId))),
    changeRequestId: line,
    sequence: burst?.replaces?.sequence ?? (parent.changeRequestId === line ? parent.sequence + 1 : 1),
    mergedFrom: reason.mergedFrom ? JSON.stringify(reason.mergedFrom) : null,
    message: reason.message,
    createdBy: reason.userId,
    coAuthorId: reason.coAuthorId ?? null,
    createdAt,
    burst: burst?.id ?? null,
    burstBy: burst?.by ?? null,
  }
  if (burst?.replaces) await replaceRevision(tx, burst.replaces, reason.now)
  await tx.insertInto('revision').values(revision).execute()
  const newest = { revisionId: revision.id, updatedAt: createdAt }
  await (
    changeRequest
      ? tx.updateTable('changeRequest').set(newest).where('id', '=', changeRequest.id)
      : tx.updateTable('space').set(newest).where('id', '=', spaceId)
  ).execute()
  const { id: proposal } = changeRequest ?? {}
  await revalidate(
    tx,
    reason.now,
    proposal === undefined ? cacheTags.space(spaceId) : cacheTags.changeRequest(spaceId, proposal),
  )
  const isRead = revision.pages !== parent.pages || revision.reusables !== parent.reusables
  if (!changeRequest && isRead) await askForIndex(tx, { spaceId, revisionId: revision.id, now: reason.now })
  return revision
}

/** Keeps the documents that records name without storing them, such as those of a revision that a page is reverted to. */
async function keepNamed(
  tx: Tx,
  spaceId: string,
  { pages = new Map(), reusables = new Map() }: Changes,
  burst: string | undefined,
): Promise<void> {
  const hashes: string[] = []
  for (const records of [pages, reusables])
    append(
      hashes,
      [...records.values()].flatMap((record) => record?.document ?? []),
    )
  await noteStored(tx, { spaceId, kind: 'document', hashes, added: [], burst })
}

/** The changes to the map of former paths: those of moved pages, and those from another content. */
async function placesLeft(
  tx: Tx,
  parent: Row<'revision'>,
  { pages, oldPlaces }: Changes,
): Promise<Map<string, string | null>> {
  const taken = oldPlaces
    ? oldPlacesFrom(await oldPlacesOf(tx, parent), oldPlaces)
    : new Map<string, string>()
  const changed = await getMany<PageRecord>(parent.pages, pages?.keys() ?? [], nodesOf(tx, parent.spaceId))
  const left = [...changed.values()]
    .map((page) => ({ before: page, after: pages!.get(page.id) ?? null }))
    .filter(leavesPlace)
  // Most revisions move no page, so this returns early.
  if (left.length === 0) return taken

  const before = await oldPlacesOf(tx, parent)
  // The map of the revision is cached, and with it its index.
  const known = taken.size === 0 ? before : new Map([...before, ...taken])
  await indexOldPlaces(known)
  return new Map([...taken, ...oldPlacesAfter(known, left, parent.id)])
}

/** Writes the revision that follows `parent` with the content of `earlier`, whose nodes it shares. */
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
  return writeRevision(tx, parent, changes, reason)
}

/** Maps with the same content have the same root. */
export function hasSameContent(a: Row<'revision'>, b: Row<'revision'>): boolean {
  const parts = ['pages', 'files', 'reusables', 'variables', 'redirects'] as const
  return parts.every((part) => a[part] === b[part])
}

/** @returns the root */
async function storeMap<V>(
  tx: Tx,
  spaceId: string,
  { root, nodes }: MadeMap<V>,
  burst?: string,
): Promise<Root> {
  await storeNodes(tx, spaceId, nodes, burst)
  await rememberNodes(nodes)
  return root
}

async function storeNodes<V>(
  tx: Tx,
  spaceId: string,
  nodes: ReadonlyMap<string, NewNode<V>>,
  burst: string | undefined,
): Promise<void> {
  const rows = [...nodes].map(([hash, { json }]) => ({ spaceId, hash, data: json }))
  for (const some of chunks(rows, NODES_AT_ONCE)) {
    const inserted = await tx
      .insertInto('node')
      .values(some)
      .onConflict((hash) => hash.doNothing())
      .returning('hash')
      .execute()
    const [hashes, added] = [some, inserted].map((list) => list.map(({ hash }) => hash)) as [
      string[],
      string[],
    ]
    await noteStored(tx, { spaceId, kind: 'node', hashes, added, burst })
  }
}

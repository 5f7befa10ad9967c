import { agree, sourcesToAgree } from '../../core/content/merge/agreed.ts'
import type { Choice, Conflict, Side, Snapshot } from '../../core/content/merge/model.ts'
import { resolveConflict, sourcesToResolve } from '../../core/content/merge/resolve.ts'
import {
  type BodiesOfPlan,
  type BodiesTask,
  bodiesTask,
  finishMerge,
  type MergePlan,
  mergePlannedBodies,
  planMerge,
  type SourcedPlan,
  withSources,
} from '../../core/content/merge/merge.ts'
import { isQuick } from '../../core/document/quick.ts'
import { jsonEqual } from '../../core/json.ts'
import { type EntryChange, diff, type Root } from '../../core/content/prolly-tree/read.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from '../../core/content/revision.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { conflict, invalid, PrepareAgain } from '../../http/errors.ts'
import { ancestorOf, toChangeRequest } from './change-request.ts'
import { inThread, type TaskKind, tookTooMuch } from '../content/in-thread.ts'
import { filesOf, nodesOf, oldPlacesOf, pagesOf, reusablesOf, sourcesOf } from '../content/content.ts'
import {
  closeConflict,
  countOpenConflicts,
  followPlaces,
  openConflictsOf,
  recordConflicts,
} from './merge-conflict.ts'
import { type Changes, commitRevision, isNothing, needRevision, storeDocuments } from '../content/commit.ts'

/** A change request and its space. */
export interface Proposal {
  space: Row<'space'>
  changeRequest: Row<'changeRequest'>
}

/** The user who merges, and the time. */
export interface By {
  userId: string
  now: Date
  newId: () => string
}

/** Three revisions for a merge: the common base, the primary content, and the change request's content. */
interface Lines {
  base: Row<'revision'>
  primary: Row<'revision'>
  own: Row<'revision'>
}

/**
 * Updates a change request from the primary content. If both sides changed the same content, the change request keeps
 * its own, and the difference is stored as an open conflict.
 * @returns `conflicts` while any conflict is open, new or old
 * @throws 409 if the merged content would be invalid
 */
export async function pullPrimary(
  tx: Tx,
  proposal: Proposal,
  by: By,
  prepared: PreparedMerge | undefined,
): Promise<{ revision: string; result: 'update' | 'conflicts' }> {
  const { space, changeRequest } = proposal
  const isCurrent = ancestorOf(changeRequest) === space.revisionId
  const revision = isCurrent
    ? changeRequest.revisionId
    : await pull(tx, proposal, await mergeLines(tx, proposal, by.now, prepared), by)
  const open = await countOpenConflicts(tx, changeRequest.id)
  return { revision, result: open > 0 ? 'conflicts' : 'update' }
}

/**
 * Merges a change request into the primary content of its space. If there are conflicts, it updates the change request
 * as `pullPrimary` does, and the primary content does not change.
 * @throws 409 if there is nothing to merge, or if a conflict is already open
 */
export async function mergeIntoPrimary(
  tx: Tx,
  urls: Urls,
  proposal: Proposal,
  by: By,
  prepared: PreparedMerge | undefined,
): Promise<{ revision: string; result: 'merge' | 'conflicts' }> {
  const { space, changeRequest } = proposal
  const open = await countOpenConflicts(tx, changeRequest.id)
  if (open > 0)
    throw conflict(
      `This change request has ${open === 1 ? 'a conflict that is' : `${open} conflicts that are`} open: resolve ${open === 1 ? 'it' : 'them'} first`,
    )

  const merging = await mergeLines(tx, proposal, by.now, prepared)
  if (merging.conflicts.length > 0)
    return { revision: await pull(tx, proposal, merging, by), result: 'conflicts' }
  if (isNothing(merging.toPrimary))
    throw conflict(
      'There is nothing to merge: the primary content includes every change of this change request',
    )

  const { primary, own } = merging.lines
  const revision = by.newId()
  const merged = {
    ...changeRequest,
    status: 'merged',
    revisionMerged: revision,
    updatedAt: by.now.toISOString(),
  } as const
  await storeDocuments(tx, space.id, merging.documents)
  await commitRevision(tx, primary, merging.toPrimary, {
    id: revision,
    type: 'merge',
    message: changeRequest.subject || `Merge change request ${changeRequest.number}`,
    userId: by.userId,
    now: by.now,
    merged: own.id,
    // Every caller gets the same response for a revision, so it contains no e-mail addresses.
    mergedFrom: await toChangeRequest(urls, tx, merged, false),
  })
  const { status, revisionMerged, updatedAt } = merged
  await tx
    .updateTable('changeRequest')
    .set({ status, revisionMerged, updatedAt })
    .where('id', '=', changeRequest.id)
    .execute()
  return { revision, result: 'merge' }
}

/**
 * Applies the resolution of a conflict to the content of a change request.
 * @returns the newest revision of the change request: a new one if the content changed
 * @throws 400 for content that is invalid there, 409 if the content has changed since the conflict was found
 */
export async function applyResolution(
  tx: Tx,
  { space, changeRequest }: Proposal,
  found: Conflict,
  choice: Choice,
  { userId, now, newId }: By,
): Promise<string> {
  const parent = await needRevision(tx, space.id, changeRequest.revisionId)
  const own = await snapshotOf(tx, parent)
  const sources = await sourcesOf(tx, space.id, sourcesToResolve(found, own))
  const resolution = resolveConflict({
    conflict: found,
    choice,
    own,
    sources,
    now: now.toISOString(),
  })
  if ('refused' in resolution) {
    const isGiven = 'content' in choice && resolution.because === 'content'
    throw (isGiven ? invalid : conflict)(resolution.refused)
  }
  if (isNothing(resolution.changes)) return parent.id

  await storeDocuments(tx, space.id, resolution.documents)
  const [[before = ''], [after = '']] = [[...sources.values()], [...resolution.documents.values()]]
  await followPlaces(tx, changeRequest.id, found, { before, after })
  const { id } = await commitRevision(tx, parent, resolution.changes, {
    id: newId(),
    type: 'edits',
    message: 'Resolve a conflict',
    userId,
    now,
    changeRequest,
  })
  return id
}

interface Merging {
  lines: Lines
  conflicts: readonly Conflict[]
  documents: ReadonlyMap<string, string>
  /** The changes that turn each side into the result. */
  toPrimary: Changes
  toOwn: Changes
}

async function mergeLines(
  tx: Tx,
  { space, changeRequest }: Proposal,
  now: Date,
  prepared: PreparedMerge | undefined,
): Promise<Merging> {
  const base = await needRevision(tx, space.id, ancestorOf(changeRequest))
  const own = await needRevision(tx, space.id, changeRequest.revisionId)
  if (base.id === space.revisionId) {
    // The primary content has not changed since the base, so the result is the change request's content (fast-forward).
    const toPrimary = changesBetween(base, own, await diffsOf(tx, base, own))
    const lines = { base, primary: base, own }
    return { lines, conflicts: [], documents: new Map(), toPrimary, toOwn: {} }
  }
  const primary = await needRevision(tx, space.id, space.revisionId)
  const lines = { base, primary, own }
  const plan = await planOf(tx, lines)
  const sources = await sourcesOf(tx, space.id, plan.sources)
  const sourced = withSources(plan, sources, now.toISOString())
  const merged = finishMerge(sourced, mergedBodies(sourced, prepared))
  if (merged.refused !== undefined)
    throw conflict(`This change request cannot be combined with the primary content: ${merged.refused}`)
  const { conflicts, documents } = merged
  return {
    lines,
    conflicts,
    documents,
    toPrimary: merged.changesTo('primary'),
    toOwn: merged.changesTo('own'),
  }
}

async function planOf(db: Reader, { base, primary, own }: Lines): Promise<MergePlan> {
  return planMerge(
    await snapshotOf(db, base),
    await sideOf(db, base, primary),
    await sideOf(db, base, own),
    'own',
  )
}

const MERGE_BODIES: TaskKind<BodiesTask, BodiesOfPlan> = {
  module: new URL('../../core/content/merge/merge.ts', import.meta.url),
  name: 'mergePlannedBodies',
  timeMs: 20_000,
}

/** Bodies that were merged before the transaction, and what they were merged from. */
export interface PreparedMerge {
  task: BodiesTask
  bodies: BodiesOfPlan
}

/**
 * Merges the bodies of a change request and its space, where it delays nobody; undefined if the transaction can do it,
 * because it is known to be quick.
 * @throws 409 if it takes too long, 503
 */
export async function prepareMerge(
  db: Reader,
  { space, changeRequest }: Proposal,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<PreparedMerge | undefined> {
  const base = await needRevision(db, space.id, ancestorOf(changeRequest))
  if (base.id === space.revisionId) return undefined
  const primary = await needRevision(db, space.id, space.revisionId)
  const own = await needRevision(db, space.id, changeRequest.revisionId)
  const plan = await planOf(db, { base, primary, own })
  const sources = await sourcesOf(db, space.id, plan.sources)
  if (areQuick(sources)) return undefined
  const task = bodiesTask(withSources(plan, sources, now.toISOString()))
  try {
    const work = { db, spaceId: space.id, sources: 'slow', signal } as const
    return { task, bodies: await inThread(MERGE_BODIES, mergePlannedBodies, task, work) }
  } catch (error) {
    if (!tookTooMuch(error)) throw error
    throw conflict('These contents take too long to merge: merge the changes in smaller parts')
  }
}

/** The merged bodies of a plan: those that were prepared, if the contents are still the same. */
function mergedBodies(sourced: SourcedPlan, prepared: PreparedMerge | undefined): BodiesOfPlan {
  const task = bodiesTask(sourced)
  if (prepared && isSame(prepared.task, task)) return prepared.bodies
  if (!areQuick(task.sources)) throw new PrepareAgain()
  return mergePlannedBodies(task)
}

/** The sources are named by their hashes in the records. */
function isSame(a: BodiesTask, b: BodiesTask): boolean {
  return jsonEqual([a.pages, a.reusables, a.keep, a.now], [b.pages, b.reusables, b.keep, b.now])
}

/** Whether sources are known to be merged within a few milliseconds. */
function areQuick(sources: ReadonlyMap<string, string>): boolean {
  return isQuick([...sources.values()].join('\n'))
}

/** Writes the merged content as the newest revision of the change request, which keeps its own side of conflicts. */
async function pull(
  tx: Tx,
  { space, changeRequest }: Proposal,
  { lines, conflicts, documents, toOwn }: Merging,
  { userId, now, newId }: By,
): Promise<string> {
  const { primary, own } = lines
  await storeDocuments(tx, space.id, documents)
  const changes = { ...toOwn, oldPlaces: await oldPlacesOf(tx, primary) }
  const revision = await commitRevision(tx, own, changes, {
    id: newId(),
    type: 'update',
    message: 'Update from the primary content',
    userId,
    now,
    changeRequest,
    merged: primary.id,
  })
  await tx
    .updateTable('changeRequest')
    .set({ revisionMergedAncestor: primary.id })
    .where('id', '=', changeRequest.id)
    .execute()
  await recordConflicts(tx, changeRequest, conflicts, now, newId)
  await closeAgreed(tx, changeRequest.id, { primary, own: revision, conflicts }, { userId, now })
  return revision.id
}

/** Resolves earlier conflicts on which both sides now agree. */
async function closeAgreed(
  tx: Tx,
  changeRequestId: string,
  pulled: Pick<Lines, 'primary' | 'own'> & { conflicts: readonly Conflict[] },
  by: { userId: string; now: Date },
): Promise<void> {
  const found = new Set(pulled.conflicts.map(({ key }) => key))
  const open = await openConflictsOf(tx, changeRequestId)
  const earlier = [...open].filter(([, { key }]) => !found.has(key))
  if (earlier.length === 0) return
  const [primary, own] = [await snapshotOf(tx, pulled.primary), await snapshotOf(tx, pulled.own)]
  const needed = new Set(earlier.flatMap(([, one]) => sourcesToAgree(one, primary, own)))
  const sources = await sourcesOf(tx, pulled.own.spaceId, [...needed])
  for (const [id, one] of earlier)
    if (agree(one, primary, own, sources)) await closeConflict(tx, id, { side: 'own' }, by)
}

/** Loads the content of a revision. */
async function snapshotOf(db: Reader, revision: Row<'revision'>): Promise<Snapshot> {
  return {
    pages: await pagesOf(db, revision),
    files: await filesOf(db, revision),
    reusables: await reusablesOf(db, revision),
    variables: JSON.parse(revision.variables) as Variables,
    redirects: JSON.parse(revision.redirects) as Record<string, string>,
  }
}

async function sideOf(db: Reader, base: Row<'revision'>, revision: Row<'revision'>): Promise<Side> {
  return { ...(await snapshotOf(db, revision)), changes: await diffsOf(db, base, revision) }
}

async function diffsOf(db: Reader, from: Row<'revision'>, to: Row<'revision'>): Promise<Side['changes']> {
  const between = <V>(a: Root, b: Root) => diff<V>(a, b, nodesOf<V>(db, from.spaceId))
  return {
    pages: await between<PageRecord>(from.pages, to.pages),
    files: await between<FileRecord>(from.files, to.files),
    reusables: await between<ReusableRecord>(from.reusables, to.reusables),
  }
}

function changesBetween(
  from: Row<'revision'>,
  to: Row<'revision'>,
  { pages, files, reusables }: Side['changes'],
): Changes {
  const toward = <V>(changes: readonly EntryChange<V>[]) =>
    new Map(changes.map(({ key, after }) => [key, after ?? null]))
  return {
    pages: toward(pages),
    files: toward(files),
    reusables: toward(reusables),
    ...(from.variables === to.variables ? {} : { variables: JSON.parse(to.variables) as Variables }),
    ...(from.redirects === to.redirects
      ? {}
      : { redirects: JSON.parse(to.redirects) as Record<string, string> }),
  }
}

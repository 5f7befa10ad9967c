import { agree, sourcesToAgree } from '../core/merge/agreed.ts'
import type { Choice, Conflict, Merged, Side, Snapshot } from '../core/merge/model.ts'
import { resolveConflict, sourcesToResolve } from '../core/merge/resolve.ts'
import { finishMerge, planMerge } from '../core/merge/merge.ts'
import { type Change, diff, type Root } from '../core/map.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from '../core/revision.ts'
import type { Reader, Row, Tx } from '../db/schema.ts'
import type { Addresses } from '../http/addresses.ts'
import { conflict, invalid } from '../http/errors.ts'
import { ancestorOf, toChangeRequest } from './change-request.ts'
import { filesOf, nodesOf, oldPlacesOf, pagesOf, reusablesOf, sourcesOf } from './content.ts'
import {
  closeConflict,
  countOpenConflicts,
  followPlaces,
  openConflictsOf,
  recordConflicts,
} from './merge-conflict.ts'
import { type Changes, commitRevision, isNothing, needRevision, storeDocuments } from './revision.ts'

/** A change request and the space that it is of. */
export interface Proposal {
  space: Row<'space'>
  changeRequest: Row<'changeRequest'>
}

/** Who merges, and when. */
export interface By {
  userId: string
  now: Date
  newId: () => string
}

/** Three revisions of a space: what the two others have in common, its primary content, the change request's own. */
interface Lines {
  base: Row<'revision'>
  primary: Row<'revision'>
  own: Row<'revision'>
}

/**
 * Pulls the primary content into a change request. Where both changed the same, the change request's side stays, and
 * what they disagree about is recorded as open conflicts.
 * @returns `conflicts` while any is open, from this time or before
 * @throws 409 where both together are no content that may be
 */
export async function pullPrimary(
  tx: Tx,
  proposal: Proposal,
  by: By,
): Promise<{ revision: string; result: 'update' | 'conflicts' }> {
  const { space, changeRequest } = proposal
  const isCurrent = ancestorOf(changeRequest) === space.revisionId
  const revision = isCurrent
    ? changeRequest.revisionId
    : await pull(tx, proposal, await mergeLines(tx, proposal, by.now), by)
  const open = await countOpenConflicts(tx, changeRequest.id)
  return { revision, result: open > 0 ? 'conflicts' : 'update' }
}

/**
 * Merges a change request into the primary content of its space, or, where that has conflicts, does what `pullPrimary`
 * does and leaves the primary content as it is.
 * @throws 409 where there is nothing to merge, or conflicts are open already
 */
export async function mergeIntoPrimary(
  tx: Tx,
  at: Addresses,
  proposal: Proposal,
  by: By,
): Promise<{ revision: string; result: 'merge' | 'conflicts' }> {
  const { space, changeRequest } = proposal
  const open = await countOpenConflicts(tx, changeRequest.id)
  if (open > 0)
    throw conflict(
      `This change request has ${open === 1 ? 'a conflict that is' : `${open} conflicts that are`} open: resolve ${open === 1 ? 'it' : 'them'} first`,
    )

  const merging = await mergeLines(tx, proposal, by.now)
  if (merging.conflicts.length > 0)
    return { revision: await pull(tx, proposal, merging, by), result: 'conflicts' }
  if (isNothing(merging.toPrimary))
    throw conflict('There is nothing to merge: the primary content has all that this change request has')

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
    // A revision is answered alike to everybody, so it holds nobody's address.
    mergedFrom: await toChangeRequest(at, tx, merged, false),
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
 * Settles a conflict in the content of a change request.
 * @returns its newest revision: a new one where that changes anything
 * @throws 400 for content that cannot stand there, 409 where the content is not as it was any more
 */
export async function settleConflict(
  tx: Tx,
  { space, changeRequest }: Proposal,
  found: Conflict,
  choice: Choice,
  { userId, now, newId }: By,
): Promise<string> {
  const parent = await needRevision(tx, space.id, changeRequest.revisionId)
  const own = await snapshotOf(tx, parent)
  const sources = await sourcesOf(tx, space.id, sourcesToResolve(found, own))
  const resolution = resolveConflict(found, choice, own, sources, now.toISOString())
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
  /** What turns each content into the result. */
  toPrimary: Changes
  toOwn: Changes
}

async function mergeLines(tx: Tx, { space, changeRequest }: Proposal, now: Date): Promise<Merging> {
  const base = await needRevision(tx, space.id, ancestorOf(changeRequest))
  const own = await needRevision(tx, space.id, changeRequest.revisionId)
  if (base.id === space.revisionId) {
    // The primary content stands where it stood, so the result is the own content, and no page need be looked at.
    const toPrimary = changesBetween(base, own, await diffsOf(tx, base, own))
    const lines = { base, primary: base, own }
    return { lines, conflicts: [], documents: new Map(), toPrimary, toOwn: {} }
  }
  const primary = await needRevision(tx, space.id, space.revisionId)
  const lines = { base, primary, own }
  const merged = await mergeRevisions(tx, lines, now)
  if (merged.refused !== undefined)
    throw conflict(`This change request and the primary content do not fit together: ${merged.refused}`)
  const { conflicts, documents } = merged
  return {
    lines,
    conflicts,
    documents,
    toPrimary: merged.changesTo('primary'),
    toOwn: merged.changesTo('own'),
  }
}

async function mergeRevisions(tx: Tx, { base, primary, own }: Lines, now: Date): Promise<Merged> {
  const plan = planMerge(
    await snapshotOf(tx, base),
    await sideOf(tx, base, primary),
    await sideOf(tx, base, own),
    'own',
  )
  return finishMerge(plan, await sourcesOf(tx, base.spaceId, plan.sources), now.toISOString())
}

/** Writes the merged content, with the change request's side where the two disagree, as its newest revision. */
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

/** Closes the conflicts from before about which both contents agree now. */
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

/** The content of a revision, loaded. */
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
  const toward = <V>(changes: readonly Change<V>[]) =>
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

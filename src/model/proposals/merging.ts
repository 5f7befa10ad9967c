import { agree, sourcesToAgree } from '../../core/content/merge/agreed.ts'
import type { Conflict } from '../../core/content/merge/model.ts'
import { finishMerge } from '../../core/content/merge/merge.ts'
import { giveTurn } from '../../core/runtime/turns.ts'
import type { Tx } from '../../db/schema.ts'
import type { Urls } from '../../http/urls.ts'
import { conflict } from '../../http/errors.ts'
import { type Changes, commitRevision, isNothing } from '../content/commit.ts'
import { storeDocuments } from '../content/documents/stored-document.ts'
import { oldPlacesOf, sourcesOf } from '../content/content.ts'
import { ancestorOf, toChangeRequest } from './change-request.ts'
import { closeConflict, countOpenConflicts, openConflictsOf, recordConflicts } from './merge-conflict.ts'
import { type Lines, linesOf, mergedBodies, type PreparedMerge, sourcedPlanOf } from './merged-bodies.ts'
import { forgetReviewDrafts } from './review-draft.ts'
import { type By, changesFrom, diffsOf, type Proposal, snapshotOf } from './snapshots.ts'
import { because } from '../../core/languages/reasons.ts'
import { faultParameters } from '../../core/languages/reasoned.ts'

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
  if (open > 0) throw conflict(because('conflicts-open', { count: open }))

  const merging = await mergeLines(tx, proposal, by.now, prepared)
  if (merging.conflicts.length > 0)
    return { revision: await pull(tx, proposal, merging, by), result: 'conflicts' }
  if (isNothing(merging.toPrimary)) throw conflict(because('nothing-to-merge'))

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
  await forgetReviewDrafts(tx, changeRequest)
  return { revision, result: 'merge' }
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
  proposal: Proposal,
  now: Date,
  prepared: PreparedMerge | undefined,
): Promise<Merging> {
  const lines = await linesOf(tx, proposal)
  const { base, primary, own } = lines
  if (base.id === primary.id) {
    // The primary content has not changed since the base, so the result is the change request's content (fast-forward).
    const toPrimary = changesFrom(base, own, await diffsOf(tx, base, own))
    return { lines, conflicts: [], documents: new Map(), toPrimary, toOwn: {} }
  }
  const sourced = await sourcedPlanOf(tx, lines, now)
  const merged = finishMerge(sourced, mergedBodies(sourced, prepared))
  if (merged.refused !== undefined)
    throw conflict(because('change-request-not-combined', faultParameters(merged.refused)))
  const { conflicts, documents } = merged
  return {
    lines,
    conflicts,
    documents,
    toPrimary: merged.changesTo('primary'),
    toOwn: merged.changesTo('own'),
  }
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
  for (const [id, one] of earlier) {
    await giveTurn()
    if (agree(one, primary, own, sources)) await closeConflict(tx, id, { side: 'own' }, by, null)
  }
}

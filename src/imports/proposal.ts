/** The change request of a sync, which the next sync of the same space updates until it is merged or archived. */
import type { Conflict } from '../core/content/merge/model.ts'
import { jsonEqual } from '../core/data/json.ts'
import type { Reader, Row, Tx } from '../db/schema.ts'
import { conflict } from '../http/errors.ts'
import { type Changes, commitRevision, needRevision } from '../model/content/commit.ts'
import { oldPlacesOf } from '../model/content/content.ts'
import { ancestorOf, insertChangeRequest } from '../model/proposals/change-request.ts'
import { recordConflicts } from '../model/proposals/merge-conflict.ts'
import { type By, changesFrom, diffsOf } from '../model/proposals/snapshots.ts'
import type { SourceContent, SpaceSource, SyncProposal } from '../model/proposals/space-source.ts'
import { because } from '../core/languages/reasons.ts'

/** The proposal of a sync for a space. */
export interface Proposing {
  space: Row<'space'>
  current: Row<'revision'>
  /** The changes of `current`, with the values of the source in conflicts. */
  changes: Changes
  conflicts: readonly Conflict[]
  known: SpaceSource | undefined
  /** The content of the source. */
  content: SourceContent
  subject: string
  by: By
}

/**
 * Opens a change request, or updates that of the sync before. If that one proposes the same, nothing is written: neither
 * twice, nor again after somebody archived it.
 * @throws 409 if users have edited it
 */
export async function propose(
  tx: Tx,
  proposing: Proposing,
): Promise<{ changeRequest: Row<'changeRequest'>; isNew: boolean }> {
  const { known, content } = proposing
  const { changeRequest, proposal } = known ?? {}
  if (!changeRequest || !proposal) {
    if (known) await archiveProposal(tx, known, proposing.by.now)
    return { changeRequest: await open(tx, proposing), isNew: true }
  }
  // Different archives can have the same content.
  const isSame = jsonEqual({ ...proposal.content, archive: undefined }, { ...content, archive: undefined })
  if (isSame) return { changeRequest, isNew: false }
  if (changeRequest.status === 'archived') return { changeRequest: await open(tx, proposing), isNew: true }
  await refuseEdited(tx, changeRequest, proposal)
  return { changeRequest: await update(tx, proposing, changeRequest), isNew: true }
}

/** Archives the change request of a sync that has nothing left to propose. @throws 409 if users have edited it */
export async function archiveProposal(
  tx: Tx,
  { changeRequest, proposal }: SpaceSource,
  now: Date,
): Promise<void> {
  if (!changeRequest || changeRequest.status === 'archived') return
  // Without a proposal, users have decided about it.
  if (proposal) await refuseEdited(tx, changeRequest, proposal)
  await tx
    .updateTable('changeRequest')
    .set({ status: 'archived', updatedAt: now.toISOString() })
    .where('id', '=', changeRequest.id)
    .execute()
}

/** @throws 409 if users have edited the change request of a sync or resolved its conflicts: that must not be lost */
async function refuseEdited(
  tx: Tx,
  { id, number, revisionId }: Row<'changeRequest'>,
  proposal: SyncProposal,
): Promise<void> {
  const resolved = await tx
    .selectFrom('mergeConflict')
    .select('id')
    .where('changeRequestId', '=', id)
    .where('status', '=', 'resolved')
    .limit(1)
    .executeTakeFirst()
  if (revisionId === proposal.revisionId && !resolved) return
  throw conflict(because('sync-edited', { number }))
}

async function open(tx: Tx, { space, current, changes, conflicts, subject, by }: Proposing) {
  const { userId, now, newId } = by
  const made = await insertChangeRequest(tx, space, { id: newId(), subject, userId, now })
  const reason = { id: newId(), type: 'edits', message: subject, userId, now, changeRequest: made } as const
  await commitRevision(tx, current, changes, reason)
  await recordConflicts(tx, made, conflicts, now, newId)
  return tx
    .updateTable('changeRequest')
    .set({ status: 'open' })
    .where('id', '=', made.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The changes that turn the content of a change request into that of a revision with other changes. */
export async function replacingChanges(
  db: Reader,
  own: Row<'revision'>,
  base: Row<'revision'>,
  changes: Changes,
): Promise<Changes> {
  // Back to the content of the revision, and from there to the new changes.
  const back = changesFrom(own, base, await diffsOf(db, own, base))
  const { variables = back.variables, redirects = back.redirects } = changes
  return {
    pages: new Map([...(back.pages ?? []), ...(changes.pages ?? [])]),
    files: new Map([...(back.files ?? []), ...(changes.files ?? [])]),
    reusables: new Map([...(back.reusables ?? []), ...(changes.reusables ?? [])]),
    ...(variables ? { variables } : {}),
    ...(redirects ? { redirects } : {}),
    oldPlaces: await oldPlacesOf(db, base),
  }
}

async function update(
  tx: Tx,
  { current, changes, conflicts, subject, by }: Proposing,
  changeRequest: Row<'changeRequest'>,
) {
  const { userId, now, newId } = by
  const own = await needRevision(tx, current.spaceId, changeRequest.revisionId)
  const both = await replacingChanges(tx, own, current, changes)
  const isBehind = ancestorOf(changeRequest) !== current.id
  await commitRevision(tx, own, both, {
    id: newId(),
    type: isBehind ? 'update' : 'edits',
    message: subject,
    userId,
    now,
    changeRequest,
    merged: isBehind ? current.id : undefined,
  })
  // Nobody has resolved any, because the change request has no edits of users.
  await tx
    .deleteFrom('mergeConflict')
    .where('changeRequestId', '=', changeRequest.id)
    .where('status', '=', 'open')
    .execute()
  await recordConflicts(tx, changeRequest, conflicts, now, newId)
  return tx
    .updateTable('changeRequest')
    .set({ subject, revisionMergedAncestor: current.id })
    .where('id', '=', changeRequest.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

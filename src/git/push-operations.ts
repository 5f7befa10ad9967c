/** The changes that a push makes, as operations: with the access checks, the audit log and the events of the API. */
import { onChangeRequest } from '../access/checks/on-change-request.ts'
import { onSpace } from '../access/checks/on.ts'
import { because } from '../core/languages/reasons.ts'
import type { Row, Tx } from '../db/schema.ts'
import { conflict } from '../http/errors.ts'
import { type Route, route } from '../http/route.ts'
import type { PreparedPush } from '../imports/pushed.ts'
import { InSpace } from '../model/common.ts'
import { type Changes, commitRevision, isNothing, needRevision } from '../model/content/commit.ts'
import { endStoring } from '../model/content/documents/imported-document.ts'
import { useBlobs } from '../model/content/files/stored-file.ts'
import {
  ancestorOf,
  InChangeRequest,
  insertChangeRequest,
  isClosed,
} from '../model/proposals/change-request.ts'
import { isBelowBranch, MOST_BRANCHES, openBranches } from './pushed-commits.ts'

/** A route without an address, with its name. */
export interface PushOperation {
  name: string
  route: Route
}

/** A commit that is ready to be stored. */
export interface ReadyPush {
  prepared: PreparedPush
  /** The changes of the newest revision of main or of the change request. */
  changes: Changes
  oid: string
  /** The blob with its objects. */
  pack: string
  subject: string
}

/** A commit of a branch that is a change request, or becomes one. */
export interface ReadyProposal extends ReadyPush {
  branch: string
  /** The description of a new change request, as its column has it. */
  description: string | null
  isDraft: boolean
  /** Whether the client gave the subject. */
  isNamed: boolean
}

/** The audit log shows fields that differ from those before. */
const NOT_PUSHED = { branch: null, commit: null }

/** Whether the content of a space changes only by merging change requests. A space without content can be filled. */
export function isLocked({ editMode }: Row<'space'>, { pages, files }: Row<'revision'>): boolean {
  return editMode !== 'live' && (pages !== null || files !== null)
}

/** Makes a revision of a commit that was pushed to main. */
export function pushToMain(push: ReadyPush): PushOperation {
  const { prepared, changes, subject: message, oid } = push
  return {
    name: 'pushToMain',
    route: route({
      method: 'POST',
      path: '/v1/spaces/:spaceId/git/main',
      summary: 'Push to the main branch of a space',
      access: onSpace('edit'),
      params: InSpace,
      audit: 'space.content.import',
      async handler({ tx, me, space, now, newId, audit }) {
        const parent = await needRevision(tx, space.id, space.revisionId)
        if (parent.id !== prepared.base.id) throw conflict(because('git-fetch-first'))
        if (isLocked(space, parent)) throw conflict(because('git-space-locked'))
        await usePushed(tx, space.id, prepared)
        const reason = { id: newId(), type: 'edits', message, userId: me.userId, now } as const
        const revision = await commitRevision(tx, parent, changes, reason)
        await savePushed(tx, space.id, push, revision.id, null)
        audit({
          target: { type: 'space', id: space.id, label: space.title },
          before: { revision: parent.id, ...NOT_PUSHED },
          after: { revision: revision.id, branch: 'main', commit: oid },
        })
      },
    }),
  }
}

/** Makes a change request of a commit that was pushed to a new branch. @param take gets the change request */
export function pushNewBranch(
  push: ReadyProposal,
  take: (changeRequest: Row<'changeRequest'>) => void,
): PushOperation {
  const { prepared, changes, subject, description, isDraft, branch, oid } = push
  return {
    name: 'pushNewBranch',
    route: route({
      method: 'POST',
      path: '/v1/spaces/:spaceId/git/branches',
      summary: 'Push a new branch to a space',
      access: onSpace('edit'),
      params: InSpace,
      audit: 'space.change-request.create',
      async handler({ tx, me, space, now, newId, audit }) {
        await needFreeName(tx, space.id, branch)
        const { base } = prepared
        const by = { userId: me.userId, now }
        const made = await insertChangeRequest(tx, space, { id: newId(), subject, ...by })
        await usePushed(tx, space.id, prepared)
        const reason = { id: newId(), type: 'edits', message: subject, ...by, changeRequest: made } as const
        const { id: revisionId } = await commitRevision(tx, base, changes, reason)
        const status = isDraft ? 'draft' : 'open'
        const changeRequest = await tx
          .updateTable('changeRequest')
          .set({ status, description, revisionInitial: base.id })
          .where('id', '=', made.id)
          .returningAll()
          .executeTakeFirstOrThrow()
        await savePushed(tx, space.id, push, revisionId, { id: made.id, branch })
        audit({
          changeRequestId: made.id,
          target: { type: 'change-request', id: made.id, label: subject },
          after: { number: made.number, subject, status, revision: revisionId, branch, commit: oid },
        })
        take(changeRequest)
      },
    }),
  }
}

/**
 * Gives a change request the content of a commit that was pushed to its branch.
 * @param known the change request as it was when the push was examined
 */
export function pushToBranch(push: ReadyProposal, known: Row<'changeRequest'>): PushOperation {
  const { prepared, changes, subject, isNamed, isDraft, branch, oid } = push
  return {
    name: 'pushToBranch',
    route: route({
      method: 'POST',
      path: '/v1/spaces/:spaceId/git/branches/:changeRequestId',
      summary: 'Push to a branch of a space',
      access: onChangeRequest('edit'),
      params: InChangeRequest,
      audit: 'space.change-request.content.import',
      async handler({ tx, me, space, changeRequest, now, newId, audit }) {
        const { id, revisionId: before } = changeRequest
        const pushed = (await openBranches(tx, space.id)).find(({ name }) => name === branch)
        const isSame = pushed?.changeRequest.id === id && before === known.revisionId
        if (isClosed(changeRequest) || !isSame || ancestorOf(changeRequest) !== ancestorOf(known))
          throw conflict(because('git-fetch-first'))
        const own = await needRevision(tx, space.id, before)
        const { base } = prepared
        const isMoved = ancestorOf(changeRequest) !== base.id
        await usePushed(tx, space.id, prepared)
        const revision =
          isNothing(changes) && !isMoved
            ? own
            : await commitRevision(tx, own, changes, {
                id: newId(),
                type: isMoved ? 'update' : 'edits',
                message: subject,
                userId: me.userId,
                now,
                changeRequest,
                merged: isMoved ? base.id : undefined,
              })
        // What was pushed settles them.
        await tx
          .deleteFrom('mergeConflict')
          .where('changeRequestId', '=', id)
          .where('status', '=', 'open')
          .execute()
        const set = {
          ...(isNamed ? { subject } : {}),
          ...(isDraft ? { status: 'draft' as const } : {}),
          ...(isMoved ? { revisionMergedAncestor: base.id } : {}),
        }
        await tx
          .updateTable('changeRequest')
          .set({ ...set, updatedAt: now.toISOString() })
          .where('id', '=', id)
          .execute()
        await tx.deleteFrom('pushedCommit').where('changeRequestId', '=', id).execute()
        await savePushed(tx, space.id, push, revision.id, { id, branch })
        audit({
          target: { type: 'change-request', id, label: changeRequest.subject },
          before: { revision: before, ...NOT_PUSHED },
          after: { revision: revision.id, branch, commit: oid },
        })
      },
    }),
  }
}

/** The documents and files of a commit belong to the space from now on. */
async function usePushed(tx: Tx, spaceId: string, { storing, files }: PreparedPush): Promise<void> {
  if (storing) await endStoring(tx, storing.id)
  await useBlobs(tx, spaceId, files)
}

async function savePushed(
  tx: Tx,
  spaceId: string,
  { oid, pack, prepared: { base } }: ReadyPush,
  revisionId: string,
  proposal: { id: string; branch: string } | null,
): Promise<void> {
  const { id: changeRequestId = null, branch = null } = proposal ?? {}
  const row = { revisionId, spaceId, branch, changeRequestId, base: base.id, oid, pack }
  await tx.insertInto('pushedCommit').values(row).execute()
}

/** Frees the names of closed change requests. @throws 409 if the name is taken, or there are too many branches */
async function needFreeName(tx: Tx, spaceId: string, name: string): Promise<void> {
  const open = await openBranches(tx, spaceId)
  const isInTheWay = (other: string) =>
    other === name || isBelowBranch(other, name) || isBelowBranch(name, other)
  if (open.some((one) => isInTheWay(one.name))) throw conflict(because('git-fetch-first'))
  if (open.length >= MOST_BRANCHES) throw conflict(because('git-branches-too-many', { limit: MOST_BRANCHES }))
  // The commit of a change request that is merged belongs to the history of main.
  const isMerged = tx
    .selectFrom('changeRequest')
    .select('id')
    .where('spaceId', '=', spaceId)
    .where('status', '=', 'merged')
  await tx
    .updateTable('pushedCommit')
    .set({ branch: null })
    .where('spaceId', '=', spaceId)
    .where('branch', '=', name)
    .where('changeRequestId', 'in', isMerged)
    .execute()
  await tx.deleteFrom('pushedCommit').where('spaceId', '=', spaceId).where('branch', '=', name).execute()
}

/** Resolves a conflict of a change request: in a large page in a thread, before the transaction. */
import type { Choice, Conflict, StandingConflict } from '../../core/content/merge/model.ts'
import { type ChosenResolution, resolveConflict, sourcesToResolve } from '../../core/content/merge/resolve.ts'
import {
  type OtherPlace,
  type Rewrite,
  type RewriteResult,
  rewriteTask,
  type RewriteTask,
} from '../../core/content/merge/resolve-source.ts'
import { isQuick } from '../../core/document/quick.ts'
import { jsonEqual } from '../../core/data/json.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { conflict, invalid, PrepareAgain } from '../../http/errors.ts'
import { commitRevision, isNothing, needRevision } from '../content/commit.ts'
import { storeDocuments } from '../content/documents/stored-document.ts'
import { sourcesOf } from '../content/content.ts'
import { inThread, type TaskKind, tookTooMuch } from '../content/in-thread.ts'
import { moveConflicts, standingConflictsOf } from './merge-conflict.ts'
import { type By, type Proposal, snapshotOf } from './snapshots.ts'
import { because } from '../../core/languages/reasons.ts'
import { type Reasoned, reasoned } from '../../core/languages/reasoned.ts'

/** A rewrite of a large page that was made in a thread, before the transaction, and its result. */
export interface PreparedResolution {
  task: RewriteTask
  result: RewriteResult
}

const REWRITE_SOURCE: TaskKind<RewriteTask, RewriteResult> = {
  module: new URL('../../core/content/merge/resolve-source.ts', import.meta.url),
  name: 'rewriteTask',
  timeMs: 10_000,
}

/** More blocks than this may take a while to find again in their source. */
const FEW_OTHERS = 50

/**
 * Writes the resolution of a conflict into a large page, where it delays nobody.
 * @returns undefined if the transaction can do it, because it is known to be quick
 * @throws 400 if it takes too long, 503
 */
export async function prepareResolution(
  { db, now, signal }: { db: Reader; now: Date; signal: AbortSignal },
  proposal: Proposal,
  found: Conflict,
  choice: Choice,
): Promise<PreparedResolution | undefined> {
  const { chosen, standing } = await loadResolution(db, proposal, found, choice, now)
  let task: RewriteTask | undefined
  resolveConflict({
    ...chosen,
    rewrite(rewrite) {
      task = taskOf(rewrite, found, standing)
      return { refused: reasoned('The rewrite is made in a thread'), because: 'state' }
    },
  })
  if (!task || isQuickRewrite(task)) return undefined
  const work = { db, spaceId: proposal.space.id, sources: 'slow', signal } as const
  try {
    return { task, result: await inThread(REWRITE_SOURCE, rewriteTask, task, work) }
  } catch (error) {
    if (!tookTooMuch(error)) throw error
    throw invalid(because('resolve-too-slow'))
  }
}

/** The message of the revision, and that of a refusal if it is not about settling an open conflict. */
interface Wording {
  message: string
  refused?: Reasoned
}

/** A resolution that was applied. */
export interface AppliedResolution {
  /** The newest revision of the change request: a new one if the content changed. */
  revision: string
  problems: RewriteResult['problems']
}

/**
 * Applies the resolution of a conflict to the content of a change request.
 * @throws 400 for content that is invalid there, 409 if the content has changed since the conflict was found
 */
export async function applyResolution(
  tx: Tx,
  { space, changeRequest }: Proposal,
  found: Conflict,
  choice: Choice,
  prepared: PreparedResolution | undefined,
  { userId, now, newId, message, refused }: By & Wording,
): Promise<AppliedResolution> {
  const { parent, chosen, standing } = await loadResolution(tx, { space, changeRequest }, found, choice, now)
  let [places, problems]: [RewriteResult['places'], RewriteResult['problems']] = [new Map(), []]
  const resolution = resolveConflict({
    ...chosen,
    rewrite(rewrite) {
      const result = rewriteResult(taskOf(rewrite, found, standing), prepared)
      ;({ places, problems } = result)
      return result.rewritten
    },
  })
  if ('refused' in resolution) {
    const isGiven = 'content' in choice && resolution.because === 'content'
    throw (isGiven ? invalid : conflict)(refused ?? resolution.refused)
  }
  if (isNothing(resolution.changes)) {
    // The change of the row sends an event to the clients that show the conflicts.
    await tx
      .updateTable('changeRequest')
      .set({ updatedAt: now.toISOString() })
      .where('id', '=', changeRequest.id)
      .execute()
    return { revision: parent.id, problems }
  }

  await storeDocuments(tx, space.id, resolution.documents)
  await moveConflicts(tx, standing, places)
  const { id } = await commitRevision(tx, parent, resolution.changes, {
    id: newId(),
    type: 'edits',
    message,
    userId,
    now,
    changeRequest,
  })
  return { revision: id, problems }
}

interface LoadedResolution {
  parent: Row<'revision'>
  chosen: ChosenResolution
  /** The conflicts of the change request that are open or can be reopened, by row id. */
  standing: ReadonlyMap<string, StandingConflict>
}

async function loadResolution(
  db: Reader,
  { space, changeRequest }: Proposal,
  found: Conflict,
  choice: Choice,
  now: Date,
): Promise<LoadedResolution> {
  const parent = await needRevision(db, space.id, changeRequest.revisionId)
  const own = await snapshotOf(db, parent)
  const sources = await sourcesOf(db, space.id, sourcesToResolve(found, own))
  const chosen = { conflict: found, choice, own, sources, now: now.toISOString() }
  return { parent, chosen, standing: await standingConflictsOf(db, changeRequest) }
}

/** The result of a rewrite: the one that was prepared, if the content and the conflicts are still the same. */
function rewriteResult(task: RewriteTask, prepared: PreparedResolution | undefined): RewriteResult {
  if (prepared && jsonEqual(prepared.task, task)) return prepared.result
  if (!isQuickRewrite(task)) throw new PrepareAgain()
  return rewriteTask(task)
}

/** A rewrite, and the other conflicts about blocks of its source. */
function taskOf(
  rewrite: Rewrite,
  { object, id, key }: Conflict,
  standing: ReadonlyMap<string, StandingConflict>,
): RewriteTask {
  const others = [...standing].flatMap(([row, { found: other, text }]): OtherPlace[] => {
    const { place } = other
    const isBeside = other.object === object && other.id === id && other.key !== key
    if (!isBeside || !place || place.key !== undefined) return []
    return [{ id: row, own: text, place }]
  })
  return { rewrite, others }
}

function isQuickRewrite({ rewrite: { source, change }, others }: RewriteTask): boolean {
  const wanted = change.kind === 'block' ? (change.wanted ?? '') : ''
  return others.length <= FEW_OTHERS && isQuick(`${source}\n${wanted}`)
}

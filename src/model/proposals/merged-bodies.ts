/** Merges the bodies of a change request and its space: those of large pages in a thread, before the transaction. */
import {
  type BodiesOfPlan,
  type BodiesTask,
  bodiesTask,
  type MergePlan,
  mergePlannedBodies,
  planMerge,
  type SourcedPlan,
  withSources,
} from '../../core/content/merge/merge.ts'
import { isQuick } from '../../core/document/quick.ts'
import { jsonEqual } from '../../core/data/json.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { conflict, PrepareAgain } from '../../http/errors.ts'
import { needRevision } from '../content/commit.ts'
import { sourcesOf } from '../content/content.ts'
import { inThread, type TaskKind, tookTooMuch } from '../content/in-thread.ts'
import { ancestorOf } from './change-request.ts'
import { type Proposal, sideOf, snapshotOf } from './snapshots.ts'
import { because } from '../../core/languages/reasons.ts'

/** Three revisions for a merge: the common base, the primary content, and the change request's content. */
export interface Lines {
  base: Row<'revision'>
  primary: Row<'revision'>
  own: Row<'revision'>
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
  const lines = await linesOf(db, { space, changeRequest })
  if (lines.base.id === lines.primary.id) return undefined
  const task = bodiesTask(await sourcedPlanOf(db, lines, now))
  if (areQuick(task.sources)) return undefined
  return { task, bodies: await mergeBodiesOf(task, { db, spaceId: space.id, signal }) }
}

/** Merges bodies, in a thread unless that is known to be quick. @throws 409 if it takes too long, 503 */
export async function mergeBodiesOf(
  task: BodiesTask,
  { db, spaceId, signal }: { db: Reader; spaceId: string; signal: AbortSignal },
): Promise<BodiesOfPlan> {
  try {
    const sources = areQuick(task.sources) ? 'quick' : 'slow'
    return await inThread(MERGE_BODIES, mergePlannedBodies, task, { db, spaceId, sources, signal })
  } catch (error) {
    if (!tookTooMuch(error)) throw error
    throw conflict(because('merge-too-slow'))
  }
}

/** The merged bodies of a plan: those that were prepared, if the contents are still the same. */
export function mergedBodies(sourced: SourcedPlan, prepared: PreparedMerge | undefined): BodiesOfPlan {
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

/** The revisions that a merge of a change request reads. */
export async function linesOf(db: Reader, { space, changeRequest }: Proposal): Promise<Lines> {
  return {
    base: await needRevision(db, space.id, ancestorOf(changeRequest)),
    primary: await needRevision(db, space.id, space.revisionId),
    own: await needRevision(db, space.id, changeRequest.revisionId),
  }
}

/** The plan of a merge with the documents that it needs. */
export async function sourcedPlanOf(db: Reader, lines: Lines, now: Date): Promise<SourcedPlan> {
  const plan = await planOf(db, lines)
  return withSources(plan, await sourcesOf(db, lines.own.spaceId, plan.sources), now.toISOString())
}

/** The part of a merge that needs no documents. */
async function planOf(db: Reader, { base, primary, own }: Lines): Promise<MergePlan> {
  return planMerge(
    await snapshotOf(db, base),
    await sideOf(db, base, primary),
    await sideOf(db, base, own),
    'own',
  )
}

/**
 * Bursts of saves. An editor that saves while its user types writes a revision every few seconds, of which only the last
 * one matters. So a save replaces the revision of the save before it, unless somebody has used that revision. A burst is
 * known by the id of its first revision, and one revision of the history stands for it.
 */
import { timeOf } from '../../core/data/id.ts'
import { diff } from '../../core/content/prolly-tree/read.ts'
import type { PageRecord, ReusableRecord } from '../../core/content/revision.ts'
import type { Reader, Row, Tx } from '../../db/schema.ts'
import { missing, notFound } from '../../http/errors.ts'
import type { Enqueue } from '../../http/route.ts'
import { nodesOf } from './content.ts'
import { because } from '../../core/languages/reasons.ts'

const MINUTE_MS = 60_000
/** A save continues a burst if its last save is younger. */
const PAUSE_MS = 5 * MINUTE_MS
/** A save continues a burst if its first save is younger. */
const LONGEST_MS = 15 * MINUTE_MS
/** The pages and reusable contents that a burst changes, at most: the work for a replaced revision grows with them. */
const MOST_PAGES = 10
/** A replaced revision stays readable for at least so long, for clients that are reading it. */
export const READABLE_MS = MINUTE_MS
/** Changes can be based on a replaced revision for so long. */
export const BASE_DAYS = 7
const BASE_MS = BASE_DAYS * 24 * 60 * MINUTE_MS
/** A burst has a sweep at the end of each such time in which it has replaced a revision. */
const SWEEP_MS = 15_000

/** The burst that a save belongs to. */
export interface Burst {
  /** The id of its first revision. */
  id: string
  /** The token or session of its saves. */
  by: string
  /** The revision that the save replaces; absent for the first save. */
  replaces?: Row<'revision'>
}

/** A save that is based on a revision of a change request. */
export interface Save {
  /** The id of the new revision. */
  id: string
  userId: string
  /** The token or session of the caller. */
  by: string
  now: Date
}

/**
 * The burst that a save belongs to: that of the newest revision of the change request if nobody else has used the
 * revision, and otherwise a new one.
 * @param pages the ids of the pages and reusable contents that the save changes
 * @returns undefined if the save changes too many to be replaced
 */
export async function burstOf(
  tx: Tx,
  newest: Row<'revision'>,
  pages: Iterable<string>,
  { id, userId, by, now }: Save,
): Promise<Burst | undefined> {
  const changed = new Set(pages)
  if (changed.size > MOST_PAGES) return undefined
  const begins = { id, by }
  const { burst } = newest
  if (burst === null || newest.createdBy !== userId || newest.burstBy !== by) return begins

  const isYoung = (since: number, most: number) => now.getTime() - since < most
  if (!isYoung(Date.parse(newest.createdAt), PAUSE_MS) || !isYoung(timeOf(burst) ?? 0, LONGEST_MS))
    return begins
  if (await isNamed(tx, newest)) return begins
  const before = await changedPages(tx, newest)
  return changed.union(before).size > MOST_PAGES ? begins : { id: burst, by, replaces: newest }
}

/** Whether a review, a draft of one, a request for one or a comment names the newest revision of a change request. */
async function isNamed(tx: Tx, { id, changeRequestId }: Row<'revision'>): Promise<boolean> {
  for (const table of ['review', 'reviewDraft', 'requestedReviewer'] as const) {
    const found = await tx
      .selectFrom(table)
      .select('revisionId')
      .where('changeRequestId', '=', changeRequestId ?? '')
      .where('revisionId', '=', id)
      .limit(1)
      .executeTakeFirst()
    if (found) return true
  }
  const comment = await tx
    .selectFrom('comment')
    .select('id')
    .where('revisionId', '=', id)
    .limit(1)
    .executeTakeFirst()
  return comment !== undefined
}

/** The pages and reusable contents that a burst has changed. */
async function changedPages(tx: Tx, newest: Row<'revision'>): Promise<Set<string>> {
  const parent = await tx
    .selectFrom('revision')
    .select(['pages', 'reusables'])
    .where('id', '=', parentOfBurst(newest))
    .executeTakeFirstOrThrow()
  const pages = await diff<PageRecord>(parent.pages, newest.pages, nodesOf(tx, newest.spaceId))
  const reusables = await diff<ReusableRecord>(
    parent.reusables,
    newest.reusables,
    nodesOf(tx, newest.spaceId),
  )
  return new Set([...pages, ...reusables].map(({ key }) => key))
}

/** The revision before a burst. */
export function parentOfBurst({ parents }: Pick<Row<'revision'>, 'parents'>): string {
  const [parent = ''] = JSON.parse(parents) as string[]
  return parent
}

/** Takes a revision out of the history, for the next one of its burst. */
export async function replaceRevision(tx: Tx, revision: Row<'revision'>, now: Date): Promise<void> {
  const { id, spaceId, burst } = revision
  if (burst === null) throw new Error(`The revision ${id} belongs to no burst`)
  await tx.deleteFrom('revision').where('id', '=', id).execute()
  await tx
    .insertInto('replacedRevision')
    .values({
      id,
      spaceId,
      burst,
      parent: parentOfBurst(revision),
      content: JSON.stringify(revision),
      replacedAt: now.toISOString(),
    })
    .execute()
}

/**
 * A revision that a later save has replaced, while its content is stored.
 * @throws 404, with the id of the revision that stands for it now
 */
export async function needReplaced(db: Reader, spaceId: string, id: string): Promise<Row<'revision'>> {
  const replaced = await db
    .selectFrom('replacedRevision')
    .select(['burst', 'content'])
    .where('id', '=', id)
    .where('spaceId', '=', spaceId)
    .executeTakeFirst()
  if (replaced && replaced.content !== null) return JSON.parse(replaced.content) as Row<'revision'>
  // The audit log names the first revision of a burst, so that one is known for ever.
  const newest = await newestOfBurst(db, replaced?.burst ?? id)
  if (newest?.spaceId !== spaceId) throw notFound('revision')
  throw missing(because('revision-replaced', { id: newest.id }))
}

/** The revision of the history that stands for a burst. */
export function newestOfBurst(db: Reader, burst: string): Promise<Row<'revision'> | undefined> {
  return db.selectFrom('revision').selectAll().where('burst', '=', burst).executeTakeFirst()
}

/** Enqueues the jobs that delete what a replaced revision needs no longer. */
export async function sweepLater(
  tx: Tx,
  enqueue: Enqueue,
  { burst, now }: { burst: string; now: Date },
): Promise<void> {
  const soon = (Math.floor(now.getTime() / SWEEP_MS) + 1) * SWEEP_MS + READABLE_MS
  const last = (timeOf(burst) ?? now.getTime()) + LONGEST_MS + BASE_MS
  for (const [runAt, isOver] of [
    [soon, false],
    [last, true],
  ] as const) {
    const dedupe = `sweep-burst:${burst}:${runAt}`
    await enqueue(tx, 'sweep-burst', { burst, isOver }, { runAt: new Date(runAt), dedupe })
  }
}

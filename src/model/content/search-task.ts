import { cacheTags } from '../../core/web/cache-tags.ts'
import { revalidate } from '../revalidation.ts'
import { askingUser } from '../../core/runtime/turns.ts'
import { causeOfJob } from '../../core/runtime/work.ts'
import { chunks } from '../../db/chunks.ts'
import type { Row, Tx } from '../../db/schema.ts'

/** The kind of the jobs that bring the indexes of an organization's spaces up to date. */
const INDEX_SEARCH = 'index-search'

/**
 * Notes that the newest revision of a space has to be indexed, and adds a job for its organization unless one is waiting
 * for the space. It is called in the transaction of every change of primary content.
 */
export async function askForIndex(
  tx: Tx,
  { spaceId, revisionId, now }: { spaceId: string; revisionId: string; now: Date },
): Promise<void> {
  const waiting = await tx
    .updateTable('searchTask')
    .set({ revisionId })
    .where('spaceId', '=', spaceId)
    .returning('spaceId')
    .executeTakeFirst()
  if (waiting) return
  await tx.insertInto('searchTask').values({ spaceId, revisionId }).execute()
  const { organizationId } = await tx
    .selectFrom('space')
    .select('organizationId')
    .where('id', '=', spaceId)
    .executeTakeFirstOrThrow()
  await addJob(tx, organizationId, revisionId, now)
}

/**
 * Notes that the spaces whose computed pages name a specification have to be indexed. It is called in the transaction of
 * every change of its newest version.
 * @param cause names the change: the version, or the deletion
 */
export async function askForSpecIndex(
  tx: Tx,
  { organizationId, slug, cause, now }: { organizationId: string; slug: string; cause: string; now: Date },
): Promise<void> {
  const spaces = await spacesWithSpecs(tx)
    .where('searchSpec.slug', '=', slug)
    .where('space.organizationId', '=', organizationId)
    .execute()
  const pages = spaces.map(({ spaceId }) => cacheTags.space(spaceId))
  await revalidate(tx, now, cacheTags.specification(organizationId, slug), ...pages)
  if (spaces.length === 0) return
  await addTasks(tx, spaces)
  // A job that runs may have looked at a space already: it runs again, because its payload differs.
  await addJob(tx, organizationId, cause, now)
}

/** The spaces whose index has pages of specifications. */
function spacesWithSpecs(tx: Tx) {
  return tx
    .selectFrom('searchSpec')
    .innerJoin('searchIndex', 'searchIndex.number', 'searchSpec.number')
    .innerJoin('space', 'space.id', 'searchIndex.spaceId')
    .select(['space.id as spaceId', 'space.revisionId'])
    .distinct()
}

async function addTasks(tx: Tx, tasks: readonly Row<'searchTask'>[]): Promise<void> {
  for (const some of chunks(tasks, 500))
    await tx
      .insertInto('searchTask')
      .values(some)
      .onConflict((conflict) => conflict.column('spaceId').doNothing())
      .execute()
}

/** Lets the new organization of spaces index them, if that has to be done: its specifications are others. */
export async function moveIndexing(
  tx: Tx,
  { spaceIds, organizationId, now }: { spaceIds: readonly string[]; organizationId: string; now: Date },
): Promise<void> {
  for (const some of chunks(spaceIds)) {
    await addTasks(tx, await spacesWithSpecs(tx).where('space.id', 'in', some).execute())
  }
  for (const some of chunks(spaceIds)) {
    const task = await tx
      .selectFrom('searchTask')
      .select('revisionId')
      .where('spaceId', 'in', some)
      .limit(1)
      .executeTakeFirst()
    if (task) return addJob(tx, organizationId, task.revisionId, now)
  }
}

/** An organization has one job, so that organizations take turns. One that runs, or failed, runs again. */
async function addJob(tx: Tx, organizationId: string, revisionId: string, now: Date): Promise<void> {
  const at = now.toISOString()
  // The queue keeps a job whose payload changed while it ran.
  const payload = JSON.stringify({ organizationId, revisionId })
  // It runs in the turn of the user who wrote last, and is linked to the trace of that.
  const askedBy = askingUser() ?? organizationId
  const traceParent = causeOfJob(INDEX_SEARCH)
  await tx
    .insertInto('job')
    .values({
      id: `${INDEX_SEARCH}-${organizationId}`,
      kind: INDEX_SEARCH,
      payload,
      askedBy,
      organizationId,
      dedupe: null,
      state: 'waiting',
      attempts: 0,
      lostLeases: 0,
      runAt: at,
      leasedUntil: null,
      error: null,
      traceParent,
      firstTriedAt: null,
      lastTriedAt: null,
      createdAt: at,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        payload,
        askedBy,
        traceParent,
        state: 'waiting',
        attempts: 0,
        firstTriedAt: null,
        runAt: at,
      }),
    )
    .execute()
}

/**
 * Notes that a revision of a space is indexed, and ends the task of the space if that is its newest one. The task itself
 * may name an earlier one: a revision that changes no page and no reusable content asks for no index.
 * @returns whether it is the newest one
 */
export async function endIndexing(
  tx: Tx,
  { spaceId, revisionId }: { spaceId: string; revisionId: string },
): Promise<boolean> {
  const space = await tx.selectFrom('space').select('revisionId').where('id', '=', spaceId).executeTakeFirst()
  if (space && space.revisionId !== revisionId) return false
  await tx.deleteFrom('searchTask').where('spaceId', '=', spaceId).execute()
  return true
}

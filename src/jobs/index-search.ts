import { chunks } from '../db/chunks.ts'
import type { Reader } from '../db/schema.ts'
import type { Services } from '../http/route.ts'
import { askForIndex } from '../model/content/search-task.ts'
import { bringUpToDate, spacesToIndex } from '../model/search/space-index.ts'
import type { Worker } from './queue/job-kind.ts'

/**
 * Brings the search indexes of an organization's spaces up to date with their content. Each change of primary content
 * enqueues this job.
 * @param turnMs how long it writes before it lets other organizations come first
 * @param elapsed the milliseconds since some fixed time
 */
export function indexSearch(
  { db }: Pick<Services, 'db'>,
  turnMs = Number.POSITIVE_INFINITY,
  elapsed: () => number = () => performance.now(),
): Worker {
  /** The space at which the last turn of an organization ended. The next one begins after it. */
  const lastOf = new Map<string, string>()

  return async ({ organizationId }: { organizationId: string }) => {
    const end = elapsed() + turnMs
    let failure: { error: unknown } | undefined
    const spaces = await waitingSpaces(db.read, organizationId, lastOf.get(organizationId))
    for (const [i, spaceId] of spaces.entries()) {
      const leftMs = end - elapsed()
      if (i > 0 && leftMs < 0) {
        // A turn in which all spaces fail is no progress: the queue waits longer and longer, and gives up.
        if (failure) throw failure.error
        return 'later'
      }
      lastOf.set(organizationId, spaceId)
      try {
        if (!(await bringUpToDate(db, spaceId, Math.max(0, leftMs), elapsed))) return 'later'
      } catch (error) {
        // The other spaces are to be found all the same.
        failure = { error }
      }
    }
    lastOf.delete(organizationId)
    if (failure) throw failure.error
    return undefined
  }
}

/** The spaces of an organization that wait for their index: first those after the last one. */
async function waitingSpaces(db: Reader, organizationId: string, last = ''): Promise<string[]> {
  const rows = await db
    .selectFrom('searchTask')
    .innerJoin('space', 'space.id', 'searchTask.spaceId')
    .select('space.id')
    .where('space.organizationId', '=', organizationId)
    .orderBy('space.id')
    .execute()
  const ids = rows.map(({ id }) => id)
  return [...ids.filter((id) => id > last), ...ids.filter((id) => id <= last)]
}

/** At the start of a server: enqueues the jobs that index the spaces without an index, such as those of an earlier version. */
export async function beginIndexing({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  for (const some of chunks(await spacesToIndex(db.read))) {
    await db.write(async (tx) => {
      const spaces = await tx
        .selectFrom('space')
        .select(['id', 'revisionId'])
        .where('id', 'in', some)
        .execute()
      // A job that failed for good has left its note behind.
      await tx.deleteFrom('searchTask').where('spaceId', 'in', some).execute()
      for (const { id, revisionId } of spaces) await askForIndex(tx, { spaceId: id, revisionId, now: now() })
    })
  }
}

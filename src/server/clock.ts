import { type Kysely, sql } from 'kysely'
import { timeOf } from '../core/data/id.ts'
import type { Database, Schema } from '../db/schema.ts'

/** Tables whose primary key is an id, so that the newest is found in an index. */
const DATED = [
  'user',
  'organization',
  'token',
  'space',
  'revision',
  'changeRequest',
  'review',
  'comment',
  'commentReply',
  'upload',
  'job',
] as const satisfies (keyof Schema)[]

/** The time of the newest id in the database, in milliseconds; 0 in an empty one. */
export async function newestTime(db: Database): Promise<number> {
  let newest = 0
  for (const table of DATED) {
    const query = sql<{ id: string | null }>`select max("id") as "id" from ${sql.table(table)}`
    // A reader is a Kysely instance; its type only hides the methods that write.
    const { rows } = await query.execute(db.read as Kysely<Schema>)
    newest = Math.max(newest, timeOf(rows[0]?.id ?? '') ?? 0)
  }
  return newest
}

/**
 * A clock that begins after `newest` and never goes back, so that what happens later has the later time and the greater
 * id. If the system's clock is behind, because it was set back, this clock runs at half speed until it has caught up.
 * @param system milliseconds since 1970
 * @param elapsed milliseconds of a clock that nobody sets
 */
export function steadyClock(
  newest: number,
  system: () => number = Date.now,
  elapsed: () => number = () => performance.now(),
): () => Date {
  let last = newest + 1
  let at = elapsed()

  return () => {
    const now = elapsed()
    last = Math.max(system(), last + (now - at) / 2)
    at = now
    return new Date(last)
  }
}

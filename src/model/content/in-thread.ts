import { isQuick } from '../../core/document/quick.ts'
import { lru } from '../../core/data/lru.ts'
import { partyFor } from '../../core/runtime/turns.ts'
import type { Reader } from '../../db/schema.ts'
import { unavailable } from '../../http/errors.ts'
import { type TaskKind, ThreadError } from '../../threads/pool.ts'
import { threads } from '../../threads/threads.ts'
import { because } from '../../core/languages/reasons.ts'

export type { TaskKind }

const RETRY_S = 2

/** The content that a task works on, with the options of the task. */
export interface ThreadWork {
  db: Reader
  /** The space of the content. Threads are shared fairly between users, and then between organizations. */
  spaceId: string
  /** The Markdown that the task reads, or whether it is known to be quick. */
  sources: readonly string[] | 'quick' | 'slow'
  /** Buffers of the task that move to a thread instead of being copied. */
  transfer?: ArrayBuffer[]
  /** Ends the task when it is aborted. */
  signal?: AbortSignal
}

/**
 * Runs a task on content: at once with `run` if its sources are known to be quick, and otherwise in a thread.
 * @throws 503 if too many tasks wait
 * @throws ThreadError if the task takes too long or too much memory
 */
export async function inThread<T, R>(
  kind: TaskKind<T, R>,
  run: (task: T) => R,
  task: T,
  { db, spaceId, sources, transfer = [], signal }: ThreadWork,
): Promise<R> {
  if (sources === 'quick' || (sources !== 'slow' && isQuick(sources.join('\n')))) return run(task)
  try {
    return await threads.run(kind, task, {
      party: partyFor(await organizationOf(db, spaceId)),
      transfer,
      signal,
    })
  } catch (error) {
    if (error instanceof ThreadError && error.fault === 'queue')
      throw unavailable(because('reading-busy'), RETRY_S)
    throw error
  }
}

/** Whether a task took more time or memory than it may. */
export function tookTooMuch(error: unknown): boolean {
  return error instanceof ThreadError && (error.fault === 'time' || error.fault === 'memory')
}

/** The organizations of spaces. A transfer changes one, and then its work counts for the old one for a while. */
const organizations = lru<string>(1024 * 1024)

async function organizationOf(db: Reader, spaceId: string): Promise<string> {
  const known = organizations.get(spaceId)
  if (known !== undefined) return known
  const row = await db
    .selectFrom('space')
    .select('organizationId')
    .where('id', '=', spaceId)
    .executeTakeFirst()
  const organization = row?.organizationId ?? spaceId
  organizations.set(spaceId, organization, 100)
  return organization
}

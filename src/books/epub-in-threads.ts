/** Does the work on the parts of a book in threads. */
import type { EpubSources } from '../core/epub/epub.ts'
import type { EpubImage, EpubPageFile, EpubPageTask } from '../core/epub/model.ts'
import type { DescribeTask } from '../core/epub/package.ts'
import type { SettleTask } from '../core/epub/settle.ts'
import type { Party } from '../core/runtime/party.ts'
import type { ArchivedFile } from '../core/zip/zip.ts'
import { type TaskKind, ThreadError, type ThreadPool } from '../threads/pool.ts'
import { threads } from '../threads/threads.ts'
import type { Measured } from './epub-part.ts'
import { type WorkLimit, workLimit } from './work-limit.ts'

/** A page that takes longer is set as plain text. */
const PAGE_MS = 10_000
/** Reading a drawing, and replacing links, take milliseconds. */
const PART_MS = 30_000

const PART = new URL('./epub-part.ts', import.meta.url)
const PAGE: TaskKind<EpubPageTask, Measured<EpubPageFile>> = {
  module: PART,
  name: 'measuredPage',
  timeMs: PAGE_MS,
}
const LINKS: TaskKind<SettleTask, Measured<EpubPageFile>> = {
  module: PART,
  name: 'measuredLinks',
  timeMs: PART_MS,
}
const IMAGE: TaskKind<Uint8Array, Measured<EpubImage>> = {
  module: PART,
  name: 'measuredImage',
  timeMs: PART_MS,
}
const DESCRIPTION: TaskKind<DescribeTask, Measured<Map<string, ArchivedFile>>> = {
  module: PART,
  name: 'measuredDescription',
  timeMs: PART_MS,
}

/** How the work on a book is done. */
interface EpubWork {
  /** Ends the work. */
  signal?: AbortSignal
  pool?: ThreadPool
  /** The time that the work may take. Without it, only each part has a limit. */
  limit?: WorkLimit
}

/**
 * The parts of `EpubSources` that are work. Once the time is over, each throws `BookLate`.
 * @param party whom the book is for
 */
export function epubInThreads(
  party: Party,
  { signal, pool = threads, limit = workLimit(Infinity) }: EpubWork = {},
): Pick<EpubSources, 'makePage' | 'settle' | 'makeImage' | 'describe'> {
  async function run<T, R>(kind: TaskKind<T, Measured<R>>, task: T, transfer: ArrayBuffer[] = []) {
    const timeMs = Math.min(kind.timeMs, limit.left())
    const since = performance.now()
    const passed = () => performance.now() - since
    try {
      const { made, ms } = await pool.run({ ...kind, timeMs }, task, { party, signal, transfer })
      limit.waited(passed() - ms)
      return made
    } catch (error) {
      // Nobody knows how long a task that failed has waited, so that it counts whole, up to the limit of the task.
      limit.waited(passed() - (hasBegun(error) ? Math.min(passed(), timeMs) : 0))
      throw error
    }
  }
  return {
    async makePage(task) {
      try {
        return await run(PAGE, task)
      } catch (error) {
        if (hasBegun(error)) return undefined
        throw error
      }
    },
    settle: (task) => run(LINKS, task),
    describe: (task) => run(DESCRIPTION, task),
    makeImage(bytes) {
      // A view of a shared buffer cannot move to a thread.
      const own = bytes.buffer.byteLength === bytes.length ? bytes : new Uint8Array(bytes)
      return run(IMAGE, own, [own.buffer as ArrayBuffer])
    },
  }
}

/** Faults of a task that has begun; the same page would have them again. */
const OF_PAGE = new Set<string>(['time', 'memory', 'failed'])

const hasBegun = (error: unknown) => error instanceof ThreadError && OF_PAGE.has(error.fault)

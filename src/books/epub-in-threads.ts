/** Does the work on the parts of a book in threads. */
import type { EpubSources } from '../core/epub/epub.ts'
import type { EpubImage, EpubPageFile, EpubPageTask } from '../core/epub/model.ts'
import type { DescribeTask } from '../core/epub/package.ts'
import type { SettleTask } from '../core/epub/settle.ts'
import type { Party } from '../core/runtime/party.ts'
import type { ArchivedFile } from '../core/zip/zip.ts'
import { type TaskKind, ThreadError, type ThreadPool } from '../threads/pool.ts'
import { threads } from '../threads/threads.ts'

/** A page that takes longer is set as plain text. */
const PAGE_MS = 10_000
/** Reading a drawing, and replacing links, take milliseconds. */
const PART_MS = 30_000

const PAGE: TaskKind<EpubPageTask, EpubPageFile> = {
  module: new URL('./epub-page.ts', import.meta.url),
  name: 'colouredEpubPage',
  timeMs: PAGE_MS,
}
const LINKS: TaskKind<SettleTask, EpubPageFile> = {
  module: new URL('../core/epub/settle.ts', import.meta.url),
  name: 'settleLinks',
  timeMs: PART_MS,
}
const IMAGE: TaskKind<Uint8Array, EpubImage> = {
  module: new URL('../core/epub/images.ts', import.meta.url),
  name: 'makeImage',
  timeMs: PART_MS,
}
const DESCRIPTION: TaskKind<DescribeTask, Map<string, ArchivedFile>> = {
  module: new URL('../core/epub/package.ts', import.meta.url),
  name: 'describeBook',
  timeMs: PART_MS,
}

/**
 * The parts of `EpubSources` that are work.
 * @param party whom the book is for
 * @param signal ends the work
 */
export function epubInThreads(
  party: Party,
  { signal, pool = threads }: { signal?: AbortSignal; pool?: ThreadPool } = {},
): Pick<EpubSources, 'makePage' | 'settle' | 'makeImage' | 'describe'> {
  return {
    async makePage(task) {
      try {
        return await pool.run(PAGE, task, { party, signal })
      } catch (error) {
        if (error instanceof ThreadError && OF_PAGE.has(error.fault)) return undefined
        throw error
      }
    },
    settle: (task) => pool.run(LINKS, task, { party, signal }),
    describe: (task) => pool.run(DESCRIPTION, task, { party, signal }),
    makeImage(bytes) {
      // A view of a shared buffer cannot move to a thread.
      const own = bytes.buffer.byteLength === bytes.length ? bytes : new Uint8Array(bytes)
      return pool.run(IMAGE, own, { party, signal, transfer: [own.buffer as ArrayBuffer] })
    },
  }
}

/** Faults that the same page would have again. */
const OF_PAGE = new Set<string>(['time', 'memory', 'failed'])

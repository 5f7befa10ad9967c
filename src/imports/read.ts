import { availableParallelism } from 'node:os'
import type { ImportPlan } from '../core/repository/model.ts'
import { invalid, tooMany, unavailable } from '../http/errors.ts'
import { ThreadError, threadPool } from '../threads/pool.ts'
import type { ImportOutcome, PageReadout, Task } from './worker.ts'

const TIME_MS = 120_000
const MEMORY_MB = 2048
const RETRY_S = 30

const pool = threadPool<Task, ImportOutcome>(new URL('./worker.ts', import.meta.url), {
  threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
  queue: 16,
  timeMs: TIME_MS,
  memoryMb: MEMORY_MB,
  idleMs: 30_000,
})

/** Reads an archive or a Markdown file into a plan of the import. @throws 400 with the reason if it is refused */
export async function readImport(task: Task): Promise<ImportPlan<PageReadout>> {
  const outcome = await pool.run(task, [task.bytes.buffer as ArrayBuffer]).catch(refuse)
  if ('refused' in outcome) throw invalid(`The import is refused: ${outcome.refused}`)
  return outcome.plan
}

function refuse(error: unknown): never {
  const fault = error instanceof ThreadError ? error.fault : undefined
  if (fault === 'queue')
    throw tooMany('Too many imports are waiting; try again when one of them has ended', RETRY_S)
  if (fault === 'time')
    throw unavailable(`The import took longer than ${TIME_MS / 1000} seconds; import it in smaller parts`)
  if (fault === 'memory')
    throw unavailable(`The import needed more than ${MEMORY_MB} MB of memory; import it in smaller parts`)
  throw error
}

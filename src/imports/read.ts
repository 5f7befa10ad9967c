import type { ImportPlan } from '../core/repository/model.ts'
import { invalid, tooMany, unavailable } from '../http/errors.ts'
import { type TaskKind, ThreadError } from '../threads/pool.ts'
import { bulkThreads } from '../threads/threads.ts'
import type { ImportOutcome, ImportTask, PageReadout } from './read-archive.ts'

const TIME_MS = 120_000
const RETRY_S = 30

const READ_ARCHIVE: TaskKind<ImportTask, ImportOutcome> = {
  module: new URL('./read-archive.ts', import.meta.url),
  name: 'runImport',
  timeMs: TIME_MS,
}

/**
 * Reads an archive or a Markdown file into a plan of the import.
 * @param party the organization that imports
 * @throws 400 with the reason if it is refused
 */
export async function readImport(
  task: ImportTask,
  party: string,
  signal?: AbortSignal,
): Promise<ImportPlan<PageReadout>> {
  const outcome = await bulkThreads.run(READ_ARCHIVE, task, { party, signal }).catch(refuse)
  if ('refused' in outcome) throw invalid(`The import is refused: ${outcome.refused}`)
  return outcome.plan
}

function refuse(error: unknown): never {
  const fault = error instanceof ThreadError ? error.fault : undefined
  if (fault === 'queue')
    throw tooMany('Too many imports are waiting; try again when one of them has ended', RETRY_S)
  if (fault === 'time')
    throw unavailable(`The import took longer than ${TIME_MS / 1000} seconds; import it in smaller parts`)
  if (fault === 'memory') throw unavailable(`The import needed too much memory; import it in smaller parts`)
  throw error
}

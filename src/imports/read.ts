import type { Party } from '../core/runtime/party.ts'
import { archiveLimits } from '../core/repository/archive-limits.ts'
import { invalid, tooMany, unavailable } from '../http/errors.ts'
import { type TaskKind, ThreadError } from '../threads/pool.ts'
import { bulkThreads } from '../threads/threads.ts'
import type { ImportOutline, ImportPart } from './plan-outline.ts'
import type { ImportOutcome, ImportTask } from './read-archive.ts'
import { faultParameters } from '../core/languages/reasoned.ts'
import { because } from '../core/languages/reasons.ts'

const TIME_MS = 120_000
const RETRY_S = 30

const READ_ARCHIVE: TaskKind<ImportTask, ImportOutcome, ImportPart> = {
  module: new URL('./read-archive.ts', import.meta.url),
  name: 'runImport',
  timeMs: TIME_MS,
}

/**
 * Reads an archive or a Markdown file.
 * @param party who imports, and the organization of the space
 * @param take stores a part of its content, if nothing is wrong with the archive, or begins to index pages
 * @throws 400 with the reason if it is refused
 */
export async function readImport(
  task: Omit<ImportTask, 'limits'>,
  party: Party,
  take: (part: ImportPart) => Promise<void>,
  signal?: AbortSignal,
): Promise<ImportOutline> {
  const outcome = await bulkThreads
    .run(READ_ARCHIVE, { ...task, limits: archiveLimits() }, { party, take, signal })
    .catch(refuse)
  if ('refused' in outcome) throw invalid(because('import-refused', faultParameters(outcome.refused)))
  return outcome.outline
}

function refuse(error: unknown): never {
  const fault = error instanceof ThreadError ? error.fault : undefined
  if (fault === 'queue') throw tooMany(because('too-many-imports'), RETRY_S)
  if (fault === 'time') throw unavailable(because('import-too-slow', { seconds: TIME_MS / 1000 }))
  if (fault === 'memory') throw unavailable(because('import-too-large'))
  throw error
}

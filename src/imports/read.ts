import type { ImportPlan } from '../core/repository/model.ts'
import { invalid } from '../http/errors.ts'
import { threadPool } from './threads.ts'
import type { Outcome, Reading, Task } from './worker.ts'

const inThread = threadPool<Task, Outcome>(new URL('./worker.ts', import.meta.url), {
  timeMs: 120_000,
  memoryMb: 2048,
  idleMs: 30_000,
})

/** Reads an archive or a Markdown file into what an import will write. @throws 400 naming what is wrong with it */
export async function readImport(task: Task): Promise<ImportPlan<Reading>> {
  const outcome = await inThread(task, [task.bytes.buffer as ArrayBuffer])
  if ('refused' in outcome) throw invalid(`The import is refused: ${outcome.refused}`)
  if ('failed' in outcome) throw new Error(outcome.failed)
  return outcome.plan
}

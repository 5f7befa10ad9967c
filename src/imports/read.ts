import { Worker } from 'node:worker_threads'
import { invalid, unavailable } from '../http/errors.ts'
import type { ImportPlan } from '../core/repository/model.ts'
import type { Outcome, Reading, Task } from './worker.ts'

const TIME_MS = 120_000
const MEMORY_MB = 2048

/** Reads an archive or a Markdown file into what an import will write. @throws 400 naming what is wrong with it */
export async function readImport(task: Task): Promise<ImportPlan<Reading>> {
  const outcome = await inThread(task)
  if ('refused' in outcome) throw invalid(`The import is refused: ${outcome.refused}`)
  return outcome.plan
}

function inThread(task: Task): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: task,
    transferList: [task.bytes.buffer as ArrayBuffer],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  const timer = setTimeout(() => {
    reject(unavailable('Reading the archive took longer than two minutes; import it in smaller parts'))
    void worker.terminate()
  }, TIME_MS)

  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', () => {
    clearTimeout(timer)
    reject(unavailable('Reading the archive ended unexpectedly; try again'))
  })
  return promise
}

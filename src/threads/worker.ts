/** The script of every thread: runs the tasks of any module. */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { TaskMessage, TaskOutcome } from './pool.ts'

/** The niceness of a thread. The event loop goes first when there are more threads than processors. */
const NICENESS = 10

type TaskModule = Record<string, ((task: unknown) => unknown) | undefined>

// Linux applies this to the thread alone; elsewhere it would slow the whole process.
if (process.platform === 'linux') setPriority(0, NICENESS)

const modules = new Map<string, Promise<TaskModule>>()

async function work({ module: url, name, task }: TaskMessage): Promise<unknown> {
  const loading = modules.get(url) ?? (import(url) as Promise<TaskModule>)
  modules.set(url, loading)
  const run = (await loading)[name]
  if (!run) throw new Error(`${url} does not export ${name}`)
  return run(task)
}

const respond = (outcome: TaskOutcome) => parentPort?.postMessage(outcome)

parentPort?.on('message', (message: TaskMessage) => {
  work(message)
    .then((result) => respond({ result }))
    .catch((error: unknown) =>
      respond({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
})

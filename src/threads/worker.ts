/** The script of every thread: runs the tasks of any module. */
import { enableCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { changeSettings } from '../core/runtime/operator-settings.ts'
import type { SendPart, TaskMessage, TaskOutcome } from './pool.ts'

/** The niceness of a thread. The event loop goes first when there are more threads than processors. */
const NICENESS = 10

type TaskModule = Record<string, ((task: unknown, send: SendPart<unknown>) => unknown) | undefined>

// Linux applies this to the thread alone; elsewhere it would slow the whole process.
if (process.platform === 'linux') setPriority(0, NICENESS)

// A thread does not inherit the cache of its process, and would compile again what that has compiled.
enableCompileCache()

const modules = new Map<string, Promise<TaskModule>>()

async function work({ module: url, name, task, settings }: Exclude<TaskMessage, 'taken'>): Promise<unknown> {
  changeSettings(settings)
  const loading = modules.get(url) ?? (import(url) as Promise<TaskModule>)
  modules.set(url, loading)
  const run = (await loading)[name]
  if (!run) throw new Error(`${url} does not export ${name}`)
  respond('begun')
  return run(task, send)
}

const respond = (outcome: TaskOutcome, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(outcome, transfer)

/** Resolves the part that was sent last. A task waits for each part, so there is at most one. */
let taken = () => {}

const send: SendPart<unknown> = async (part, transfer) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  taken = resolve
  respond({ part }, transfer)
  await promise
}

parentPort?.on('message', (message: TaskMessage) => {
  if (message === 'taken') return taken()
  work(message)
    .then((result) => respond({ result }))
    .catch((error: unknown) =>
      respond({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
})

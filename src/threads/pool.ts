import { Worker } from 'node:worker_threads'
import type { TaskOutcome } from './serve.ts'

/** The bounds of a pool. */
export interface ThreadLimits {
  /** The number of threads, and so of tasks that run at once. */
  threads: number
  /** How many tasks can wait for a thread. */
  queue: number
  /** A task that takes longer is ended together with its thread. */
  timeMs: number
  /** The largest heap of a thread. */
  memoryMb: number
  /** A thread that has been idle for this long ends. Starting another takes about a quarter of a second. */
  idleMs: number
}

/** Why a task has no result. */
export type ThreadFault = 'time' | 'memory' | 'queue' | 'closed' | 'failed'

/** A task was not completed; `fault` is the reason. */
export class ThreadError extends Error {
  readonly fault: ThreadFault

  constructor(fault: ThreadFault, message: string) {
    super(message)
    this.name = 'ThreadError'
    this.fault = fault
  }
}

/** Threads that run tasks of one kind. Disposing the pool ends its threads and rejects its tasks. */
export interface ThreadPool<T, R> extends AsyncDisposable {
  /** @param transfer buffers that move to the thread instead of being copied. @throws ThreadError */
  run(task: T, transfer?: ArrayBuffer[]): Promise<R>
}

interface PendingTask<T, R> {
  task: T
  transfer: ArrayBuffer[]
  resolve: (result: R) => void
  reject: (error: Error) => void
}

interface Thread<T, R> {
  worker: Worker
  current: PendingTask<T, R> | undefined
  timer: NodeJS.Timeout | undefined
}

/**
 * A pool of worker threads for a script that calls `serveTasks`. Each thread runs one task at a time; other tasks wait in
 * the order in which they came. A task that exceeds the limits ends its own thread and no other.
 */
export function threadPool<T, R>(script: URL, limits: ThreadLimits): ThreadPool<T, R> {
  const threads = new Set<Thread<T, R>>()
  const idle: Thread<T, R>[] = []
  const queue: PendingTask<T, R>[] = []
  let closed = false

  function advance(): void {
    while (queue.length > 0) {
      const thread = idle.pop() ?? (threads.size < limits.threads ? start() : undefined)
      if (!thread) return
      assign(thread, queue.shift()!)
    }
  }

  function start(): Thread<T, R> {
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb } })
    const thread: Thread<T, R> = { worker, current: undefined, timer: undefined }
    threads.add(thread)
    worker.on('message', (outcome: TaskOutcome<R>) => settle(thread, outcome))
    worker.on('error', (error) => end(thread, faultOf(error)))
    worker.on('exit', () => end(thread, new ThreadError('failed', 'The thread ended before its task')))
    return thread
  }

  function assign(thread: Thread<T, R>, pending: PendingTask<T, R>): void {
    clearTimeout(thread.timer)
    thread.current = pending
    thread.worker.ref()
    thread.timer = setTimeout(() => {
      end(thread, new ThreadError('time', `The task took longer than ${limits.timeMs / 1000} seconds`))
    }, limits.timeMs)
    try {
      thread.worker.postMessage(pending.task, pending.transfer)
    } catch (error) {
      end(thread, error as Error)
    }
  }

  function settle(thread: Thread<T, R>, outcome: TaskOutcome<R>): void {
    const { current } = thread
    clearTimeout(thread.timer)
    thread.current = undefined
    thread.worker.unref()
    thread.timer = setTimeout(() => end(thread), limits.idleMs).unref()
    idle.push(thread)
    if ('result' in outcome) current?.resolve(outcome.result)
    else current?.reject(new ThreadError('failed', outcome.failure))
    advance()
  }

  function end(thread: Thread<T, R>, error?: Error): void {
    if (!threads.delete(thread)) return
    clearTimeout(thread.timer)
    const place = idle.indexOf(thread)
    if (place >= 0) idle.splice(place, 1)
    void thread.worker.terminate()
    if (error) thread.current?.reject(error)
    advance()
  }

  return {
    async run(task, transfer = []) {
      if (closed) throw new ThreadError('closed', 'The pool is closed')
      const free = idle.length > 0 || threads.size < limits.threads
      if (!free && queue.length >= limits.queue)
        throw new ThreadError('queue', `${limits.queue} tasks are waiting already`)

      const { promise, resolve, reject } = Promise.withResolvers<R>()
      queue.push({ task, transfer, resolve, reject })
      advance()
      return promise
    },

    async [Symbol.asyncDispose]() {
      closed = true
      const error = new ThreadError('closed', 'The pool is closed')
      for (const { reject } of queue.splice(0)) reject(error)
      const ended = [...threads].map(({ worker }) => worker.terminate())
      for (const thread of threads) end(thread, error)
      await Promise.all(ended)
    },
  }
}

function faultOf(error: unknown): Error {
  if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new ThreadError('memory', 'The task needed more memory than a thread has')
  return error instanceof Error ? error : new ThreadError('failed', String(error))
}

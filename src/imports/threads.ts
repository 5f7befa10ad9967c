import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { unavailable } from '../http/errors.ts'

/** How a pool's threads are used. */
export interface ThreadLimits {
  /** A task that takes longer is ended, with its thread. */
  timeMs: number
  memoryMb: number
  /** A thread that was not needed for so long goes; starting one takes a quarter of a second. */
  idleMs: number
}

/**
 * Threads that do one kind of task, a task at a time each, kept for the next one while there is work. A task that
 * fails, takes too long or too much memory takes its own thread with it and no other.
 */
export function threadPool<T, R>(
  script: URL,
  limits: ThreadLimits,
): (task: T, transfer?: ArrayBuffer[]) => Promise<R> {
  const most = Math.max(1, Math.min(4, availableParallelism() - 1))
  const idle: { worker: Worker; timer: NodeJS.Timeout }[] = []
  const waiting: (() => void)[] = []
  let running = 0

  async function take(): Promise<Worker> {
    if (running >= most) await new Promise<void>((go) => waiting.push(go))
    running++
    const kept = idle.pop()
    clearTimeout(kept?.timer)
    return kept?.worker ?? new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb } })
  }

  function give(worker: Worker | undefined): void {
    running--
    if (worker) {
      worker.unref()
      const timer = setTimeout(() => {
        idle.splice(
          idle.findIndex((one) => one.worker === worker),
          1,
        )
        void worker.terminate()
      }, limits.idleMs)
      idle.push({ worker, timer: timer.unref() })
    }
    waiting.shift()?.()
  }

  /** Has a task done in a thread. @param transfer what the task gives away instead of copying it */
  return async (task, transfer = []) => {
    const worker = await take()
    worker.ref()
    const { promise, resolve, reject } = Promise.withResolvers<R>()
    const ended = () => reject(unavailable('The work took more memory than it may; do it in smaller parts'))
    const timer = setTimeout(
      () =>
        reject(
          unavailable(`The work took longer than ${limits.timeMs / 1000} seconds; do it in smaller parts`),
        ),
      limits.timeMs,
    )
    worker.on('message', resolve).on('error', reject).on('exit', ended)
    worker.postMessage(task, transfer)

    try {
      const result = await promise
      worker.off('message', resolve).off('error', reject).off('exit', ended)
      give(worker)
      return result
    } catch (error) {
      void worker.terminate()
      give(undefined)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

import { parentPort } from 'node:worker_threads'

/** The response of a thread to one task. */
export type TaskOutcome<R> = { result: R } | { failure: string }

/** Runs each task that a `threadPool` sends to this thread. An error that `work` throws becomes a `ThreadError`. */
export function serveTasks<T, R>(work: (task: T) => R | Promise<R>): void {
  const respond = (outcome: TaskOutcome<R>) => parentPort?.postMessage(outcome)
  parentPort?.on('message', (task: T) => {
    void Promise.try(work, task)
      .then((result) => respond({ result }))
      .catch((error: unknown) =>
        respond({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      )
  })
}

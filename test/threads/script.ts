import { threadId } from 'node:worker_threads'
import type { SendPart } from '../../src/threads/pool.ts'

/** A task of the pool's tests. */
export type TestTask =
  | { wait: number }
  | { throw: string }
  | { fill: true }
  | { exit: number }
  | { spin: true }
  | { parts: number }

/** Does what the task says, and returns the id of the thread. */
export async function runTestTask(task: TestTask, send: SendPart<Uint8Array>): Promise<number> {
  if ('throw' in task) throw new Error(task.throw)
  if ('exit' in task) process.exit(task.exit)
  if ('wait' in task) await new Promise((resolve) => setTimeout(resolve, task.wait))
  if ('fill' in task) for (const all: unknown[] = []; ;) all.push(Array.from({ length: 1000 }, Math.random))
  if ('spin' in task) for (;;);
  if ('parts' in task)
    for (let part = 0; part < task.parts; part++) {
      const bytes = Uint8Array.of(part)
      await send(bytes, [bytes.buffer])
    }
  return threadId
}

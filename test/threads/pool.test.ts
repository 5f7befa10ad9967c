import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { threadPool, type ThreadLimits } from '../../src/threads/pool.ts'
import type { TestTask } from './script.ts'

const LIMITS = { threads: 1, queue: 10, timeMs: 30_000, memoryMb: 64, idleMs: 30_000 }
const pool = (limits: Partial<ThreadLimits> = {}) =>
  threadPool<TestTask, number>(new URL('./script.ts', import.meta.url), { ...LIMITS, ...limits })
const fault = (name: string) => (error: unknown) => (error as { fault?: string }).fault === name

test('runs as many concurrent tasks as there are threads, and reuses the threads', async () => {
  await using two = pool({ threads: 2 })
  const ids = await Promise.all([1, 2, 3, 4].map(() => two.run({ wait: 50 })))
  assert.equal(new Set(ids).size, 2)
})

test('refuses a task beyond the queue', async () => {
  await using small = pool({ queue: 1 })
  const accepted = [small.run({ wait: 100 }), small.run({ wait: 0 })]
  await assert.rejects(small.run({ wait: 0 }), fault('queue'))
  await Promise.all(accepted)
  await small.run({ wait: 0 })
})

test('ends a task that takes too long, and runs the next one in a new thread', async () => {
  await using quick = pool({ timeMs: 2000 })
  const before = await quick.run({ wait: 0 })
  const endless = quick.run({ spin: true })
  const next = quick.run({ wait: 0 })
  await assert.rejects(endless, fault('time'))
  assert.notEqual(await next, before)
})

test('replaces a thread that runs out of memory, exits or throws', async () => {
  await using one = pool()
  await assert.rejects(one.run({ fill: true }), fault('memory'))
  await assert.rejects(one.run({ exit: 1 }), fault('failed'))
  const id = await one.run({ wait: 0 })
  await assert.rejects(one.run({ throw: 'the reason' }), /the reason/)
  assert.equal(await one.run({ wait: 0 }), id, 'an error that the task throws does not end the thread')
})

test('ends a thread that is idle', async () => {
  await using brief = pool({ idleMs: 50 })
  const id = await brief.run({ wait: 0 })
  await sleep(200)
  assert.notEqual(await brief.run({ wait: 0 }), id)
})

test('rejects running and waiting tasks when it is closed', async () => {
  const one = pool()
  const tasks = [one.run({ spin: true }), one.run({ wait: 0 })].map((task) =>
    assert.rejects(task, fault('closed')),
  )
  await one[Symbol.asyncDispose]()
  await Promise.all(tasks)
  await assert.rejects(one.run({ wait: 0 }), fault('closed'))
})

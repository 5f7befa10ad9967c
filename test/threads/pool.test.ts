import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TaskKind, type TaskOptions, threadPool, type ThreadLimits } from '../../src/threads/pool.ts'
import type { TestTask } from './script.ts'

const LIMITS = { threads: 1, queue: 10, queueOfParty: 10, memoryMb: 16, idleMs: 30_000 }

/** A pool that runs the tasks of the tests, for Acme unless another party is named. */
function testPool({ timeMs = 30_000, ...limits }: Partial<ThreadLimits> & { timeMs?: number } = {}) {
  const pool = threadPool({ ...LIMITS, ...limits })
  const module = new URL('./script.ts', import.meta.url)
  const kind: TaskKind<TestTask, number, Uint8Array> = { module, name: 'runTestTask', timeMs }
  return {
    run: (task: TestTask, options: Partial<TaskOptions<Uint8Array>> = {}) =>
      pool.run(kind, task, { party: { user: 'acme' }, ...options }),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

const fault = (name: string) => (error: unknown) => (error as { fault?: string }).fault === name

test('runs as many concurrent tasks as there are threads, and reuses the threads', async () => {
  await using two = testPool({ threads: 2 })
  const parties = ['acme', 'globex', 'acme', 'globex']
  const ids = await Promise.all(parties.map((party) => two.run({ wait: 50 }, { party: { user: party } })))
  assert.equal(new Set(ids).size, 2)
})

test('refuses a task beyond the queue, and beyond the queue of a party', async () => {
  await using small = testPool({ queue: 2, queueOfParty: 1 })
  const accepted = [small.run({ wait: 100 }), small.run({ wait: 0 })]
  await assert.rejects(small.run({ wait: 0 }), fault('queue'))
  accepted.push(small.run({ wait: 0 }, { party: { user: 'globex' } }))
  const refused = accepted.splice(1, 1)[0]!
  accepted.push(small.run({ wait: 0 }, { party: { user: 'initech' } }))
  await assert.rejects(
    refused,
    fault('queue'),
    'a task of a party that has another under way gives way to a new party',
  )
  await assert.rejects(small.run({ wait: 0 }, { party: { user: 'hooli' } }), fault('queue'))
  await Promise.all(accepted)
  await small.run({ wait: 0 })
})

test('a party leaves one thread to the others', async () => {
  await using two = testPool({ threads: 2 })
  // On a busy machine, a thread can take longer to start than the slow tasks take.
  await Promise.all(['acme', 'globex'].map((party) => two.run({ wait: 50 }, { party: { user: party } })))
  const order: string[] = []
  const slow = [1, 2, 3].map(async () => {
    await two.run({ wait: 200 })
    order.push('acme')
  })
  await two.run({ wait: 0 }, { party: { user: 'globex' } })
  order.push('globex')
  await Promise.all(slow)
  assert.equal(order[0], 'globex')
})

test('a user with many organizations leaves one thread to the others, and so does an organization with many users', async () => {
  const ways = [
    (i: number) => ({ user: 'eve', organization: `organization ${i}` }),
    (i: number) => ({ user: `user ${i}`, organization: 'acme' }),
  ]
  await using two = testPool({ threads: 2 })
  for (const party of ways) {
    let ended = 0
    const slow = [1, 2, 3].map(async (i) => {
      await two.run({ wait: 200 }, { party: party(i) })
      ended++
    })
    await two.run({ wait: 0 }, { party: { user: 'ada', organization: 'globex' } })
    assert(ended <= 1, `${ended} slow tasks came first`)
    await Promise.all(slow)
  }
})

test('the party that has used the least time comes first', async () => {
  await using one = testPool()
  const order: string[] = []
  const run = async (party: string, wait: number) => {
    await one.run({ wait }, { party: { user: party } })
    order.push(party)
  }
  await Promise.all([
    run('acme', 500),
    ...Array.from({ length: 5 }, () => run('acme', 50)),
    ...Array.from({ length: 3 }, () => run('globex', 0)),
  ])
  assert.deepEqual(order.slice(0, 4), ['acme', 'globex', 'globex', 'globex'])
})

test('ends a task that takes too long, and runs the next one in a new thread', async () => {
  await using quick = testPool({ timeMs: 1000 })
  const before = await quick.run({ wait: 0 })
  const endless = quick.run({ spin: true })
  const next = quick.run({ wait: 0 })
  await assert.rejects(endless, fault('time'))
  assert.notEqual(await next, before)
})

test('the time limit of a task counts neither the start of its thread nor the taking of its parts', async () => {
  await using pool = threadPool(LIMITS)
  const module = new URL('./slow-script.ts', import.meta.url)
  const instant: TaskKind<null, string> = { module, name: 'instant', timeMs: 1000 }
  assert.equal(await pool.run(instant, null, { party: { user: 'acme' } }), 'done')

  await using quick = testPool({ timeMs: 1000 })
  assert.equal(typeof (await quick.run({ parts: 2 }, { take: () => sleep(800) })), 'number')
  await assert.rejects(quick.run({ spin: true }), fault('time'))
})

test('ends a task when its client leaves, whether it runs or waits', async () => {
  await using one = testPool()
  const [running, waiting] = [new AbortController(), new AbortController()]
  const endless = one.run({ spin: true }, { signal: running.signal })
  const never = one.run({ spin: true }, { signal: waiting.signal })
  const next = one.run({ wait: 0 })
  waiting.abort()
  await assert.rejects(never, fault('aborted'))
  running.abort()
  await assert.rejects(endless, fault('aborted'))
  assert.equal(typeof (await next), 'number')
  await assert.rejects(one.run({ wait: 0 }, { signal: running.signal }), fault('aborted'))
})

test('does not use a thread again that finished while its client left', async () => {
  await using one = testPool()
  const leaving = new AbortController()
  const first = one.run({ wait: 0 })
  await first
  const task = one.run({ wait: 0 }, { signal: leaving.signal })
  // The thread sends its outcome while the event loop is busy, so it arrives after the thread was ended.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  leaving.abort()
  await assert.rejects(task, fault('aborted'))
  await sleep(200)
  const next = one.run({ wait: 0 })
  assert.equal(await Promise.race([next, sleep(5000, 'never')]), await first.then((id) => id + 1))
})

test('replaces a thread that runs out of memory, exits or throws', async () => {
  await using one = testPool()
  await assert.rejects(one.run({ fill: true }), fault('memory'))
  await assert.rejects(one.run({ exit: 1 }), fault('failed'))
  const id = await one.run({ wait: 0 })
  await assert.rejects(one.run({ throw: 'the reason' }), /the reason/)
  assert.equal(await one.run({ wait: 0 }), id, 'an error that the task throws does not end the thread')
})

test('takes the parts of a result in order, one at a time', async () => {
  await using one = testPool()
  const parts: (number | undefined)[] = []
  let taking = 0
  const id = await one.run(
    { parts: 3 },
    {
      async take(part) {
        assert.equal(++taking, 1)
        await sleep(20)
        parts.push(part[0])
        taking--
      },
    },
  )
  assert.deepEqual(parts, [0, 1, 2])
  assert.equal(await one.run({ wait: 0 }), id)
})

test('a part that cannot be taken ends the task with the reason', async () => {
  await using one = testPool()
  const full = new Error('the disk is full')
  await assert.rejects(one.run({ parts: 3 }, { take: () => Promise.reject(full) }), full)
  await assert.rejects(one.run({ parts: 1 }), /nobody takes/)
  assert.equal(typeof (await one.run({ wait: 0 })), 'number')
})

test('ends a thread that is idle', async () => {
  await using brief = testPool({ idleMs: 50 })
  const id = await brief.run({ wait: 0 })
  await sleep(200)
  assert.notEqual(await brief.run({ wait: 0 }), id)
})

test('rejects running and waiting tasks when it is closed', async () => {
  const one = testPool()
  const tasks = [one.run({ spin: true }), one.run({ wait: 0 })].map((task) =>
    assert.rejects(task, fault('closed')),
  )
  await one[Symbol.asyncDispose]()
  await Promise.all(tasks)
  await assert.rejects(one.run({ wait: 0 }), fault('closed'))
})

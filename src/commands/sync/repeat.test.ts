import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { repeat } from './repeat.ts'

/** Work that ends when the test lets it. */
function work() {
  const runs: { end(succeeded?: boolean): void }[] = []
  const begun = async (count: number) => {
    while (runs.length < count) await wait(1)
    return runs[count - 1]!
  }
  const run = () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    runs.push({ end: (succeeded = true) => resolve(succeeded) })
    return promise
  }
  return { run, runs, begun }
}

const NEVER = 1_000_000

test('those who ask during a run share the next one', async () => {
  const ending = new AbortController()
  const { run, runs, begun } = work()
  const { ask, ended } = repeat(run, { every: undefined, retryAfter: NEVER, signal: ending.signal })
  const first = await begun(1)
  for (let i = 0; i < 5; i++) ask()
  await wait(5)
  assert.equal(runs.length, 1, 'one run at a time')
  first.end()
  const second = await begun(2)
  second.end()
  await wait(5)
  assert.equal(runs.length, 2)
  ask()
  const third = await begun(3)
  ending.abort()
  third.end()
  await ended
  assert.equal(runs.length, 3)
})

test('work is repeated at intervals, and sooner after it failed', async () => {
  for (const [every, retryAfter, succeeds] of [
    [2, NEVER, true],
    [NEVER, 2, false],
    [undefined, 2, false],
  ] as const) {
    const ending = new AbortController()
    const { run, begun } = work()
    const { ended } = repeat(run, { every, retryAfter, signal: ending.signal })
    for (let count = 1; count <= 3; count++) {
      const one = await begun(count)
      if (count === 3) ending.abort()
      one.end(succeeds)
    }
    await ended
  }
})

test('the end of the repetition does not wait for the next run', async () => {
  const ending = new AbortController()
  const { run, begun } = work()
  const { ended } = repeat(run, { every: NEVER, retryAfter: NEVER, signal: ending.signal })
  const first = await begun(1)
  first.end()
  await wait(2)
  ending.abort()
  await ended
})

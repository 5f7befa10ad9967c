import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { LONGEST_HOLD_MS, longestHold } from './event-loop.ts'

function burn(ms: number): void {
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const start = used()
  while (used() - start < ms);
}

test('the longest hold is that of one turn, not the sum of many', async () => {
  const { cpuMs } = await longestHold(async () => {
    for (let turn = 0; turn < 20; turn++) {
      burn(8)
      await wait(1)
    }
    burn(60)
    await wait(1)
  })
  assert(cpuMs >= 60 && cpuMs < 100, `${cpuMs} ms`)
})

test('waiting is not holding', async () => {
  const { ms } = await longestHold(() => wait(100))
  assert(ms < LONGEST_HOLD_MS, `${ms} ms`)
})

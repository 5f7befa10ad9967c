/** The collection of garbage when the server is at rest. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { collectAtRest } from '../src/server/idle-memory.ts'
import { inLongRun } from './effort.ts'
import { startServer, temporaryFolder } from './process.ts'

const MB = 1024 * 1024

test('garbage is collected once the server rests after its heap has grown, and not while it works', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let size = 100 * MB
  let busy = 0.5
  const collect = mock.fn(() => void (size = 110 * MB))
  const stop = collectAtRest({ collect, heapSize: () => size, utilization: () => busy }, 1000)
  const checks = (count: number) => {
    for (let i = 0; i < count; i++) t.mock.timers.tick(1000)
    return collect.mock.callCount()
  }
  size = 500 * MB
  assert.equal(checks(10), 0, 'it works')
  busy = 0.001
  assert.equal(checks(1), 0, 'it has just come to rest')
  assert.equal(checks(1), 1)
  assert.equal(checks(10), 1, 'there is nothing more to collect')
  size = 170 * MB
  assert.equal(checks(10), 1, 'the heap has hardly grown')
  size = 175 * MB
  assert.equal(checks(2), 2)
  stop()
  size = 500 * MB
  assert.equal(checks(10), 2)
})

test('a process that has grown gives memory back when it rests', () => {
  const module = join(import.meta.dirname, '../src/server/idle-memory.ts')
  const script = `
    import { collectAtRest } from ${JSON.stringify(module)}
    collectAtRest(undefined, 50)
    let kept = Array.from({ length: 1_500_000 }, (_, i) => ({ i, text: String(i) }))
    const before = process.memoryUsage().rss
    await new Promise((done) => setTimeout(done, 100))
    kept = kept.length
    const end = Date.now() + 20_000
    while (process.memoryUsage().rss > before - 50_000_000 && Date.now() < end)
      await new Promise((done) => setTimeout(done, 50))
    console.log(Date.now() < end)`
  const args = ['--expose-gc', '--input-type=module', '--eval', script]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(stdout, 'true\n', stderr)
})

test(
  'a server that rests after its start has less memory than before',
  { skip: inLongRun || (process.platform === 'linux' ? false : 'it reads /proc') },
  async (t) => {
    const folder = temporaryFolder()
    t.after(folder.remove)
    const server = await startServer({ LECTERN_DATA: folder.path, PORT: '0', LECTERN_LOG: 'silent' })
    t.after(() => server.stop())
    const resident = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))![1]) / 1024
    const before = resident()
    const end = Date.now() + 60_000
    while (resident() > before - 30 && Date.now() < end) await wait(500)
    assert(resident() <= before - 30, `${before} MB, and then ${resident()} MB`)
  },
)

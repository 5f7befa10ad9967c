import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

/** A run of tests as a group runs them: faults that nobody awaits, tests after an await, and tests in tests. */
const SCRIPT = `
import { findTestsByContext } from ${JSON.stringify(join(import.meta.dirname, 'running-test.ts'))}
findTestsByContext()
const { after, describe, test } = await import('node:test')
const wait = (ms) => new Promise((done) => setTimeout(done, ms))
await describe('first', async () => {
  await wait(1)
  test('throws in a timer', async () => {
    setTimeout(() => { throw new Error('late') }, 5)
    await wait(30)
  })
  test('passes', async (t) => {
    await wait(1)
    after(() => console.log('# after passes'))
    await t.test('rejects alone', async () => {
      void Promise.reject(new Error('alone'))
      await wait(10)
    }).catch(() => undefined)
  })
})
await describe('second', async () => {
  await wait(1)
  test('is in the second', async () => { await wait(1) })
})
`

test('a fault that nobody awaits fails the test that caused it, and tests belong to the suite that made them', () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = ['--input-type=module', '--test-reporter=tap', '-e', SCRIPT]
  const { stdout, status } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  const results = [...stdout.matchAll(/^( *)(ok|not ok) \d+ - (.*)$/gm)].map(
    ([, indent = '', result, name]) => `${indent.length / 4} ${result} ${name}`,
  )
  assert.deepEqual(results, [
    '1 not ok throws in a timer',
    '2 not ok rejects alone',
    '1 not ok passes',
    '0 not ok first',
    '1 ok is in the second',
    '0 ok second',
  ])
  assert.equal(status, 1)
  assert(stdout.indexOf('# after passes') < stdout.indexOf('is in the second'))
})

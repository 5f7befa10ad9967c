import assert from 'node:assert/strict'
import { globSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { filesToRun, groupOf, GROUPS } from './groups.ts'

test('every test file is in a group, and every group has a process and files', () => {
  const files = [...filesToRun({}), ...filesToRun({ LECTERN_TEST_EFFORT: 'long' })]
  const used = new Set(files.map((file) => groupOf(file)))
  assert(!used.has(undefined))
  assert.deepEqual([...used].toSorted(), Object.keys(GROUPS).toSorted())
  const entries = readdirSync(join(import.meta.dirname, 'groups')).map((name) => basename(name, '.ts'))
  assert.deepEqual(entries.toSorted(), Object.keys(GROUPS).toSorted())
})

test('on PostgreSQL only files that use a database run, directly or through imports', () => {
  const files = filesToRun({ LECTERN_TEST_POSTGRES: 'postgres://' })
  for (const file of ['test/crash.test.ts', 'test/api/users.test.ts', 'test/matrix.test.ts'])
    assert(files.includes(file), file)
  for (const file of ['test/rooms.test.ts', 'src/core/document/print.test.ts', 'test/sites/page.test.ts'])
    assert(!files.includes(file), file)
})

test('every file runs by default or in the long run', () => {
  const run = new Set([...filesToRun({}), ...filesToRun({ LECTERN_TEST_EFFORT: 'long' })])
  const all = globSync('{src,test}/**/*.test.ts', { cwd: join(import.meta.dirname, '..') })
  assert.deepEqual([...run].toSorted(), all.toSorted())
})

test('the long run has only the files that try more cases', () => {
  const files = filesToRun({ LECTERN_TEST_EFFORT: 'long' })
  for (const file of ['test/crash.test.ts', 'src/core/content/merge/merge.test.ts'])
    assert(files.includes(file), file)
  assert(!files.includes('test/api/users.test.ts'))
  assert(
    files.includes('test/console/together.test.ts') &&
      !filesToRun({}).includes('test/console/together.test.ts'),
  )
})

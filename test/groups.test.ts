import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesToRun, groupOf, GROUPS, hasDefaultEffort } from './groups.ts'

const ROOT = join(import.meta.dirname, '..')

test('every test file is in a group, and every group has a process and files', () => {
  const files = filesToRun({})
  const all = globSync('{src,test}/**/*.test.ts', { cwd: ROOT })
  assert.deepEqual(files, all.toSorted())
  const used = new Set(files.map((file) => groupOf(file)))
  assert(!used.has(undefined))
  assert.deepEqual([...used].toSorted(), Object.keys(GROUPS).toSorted())
  const entries = globSync('**/*.ts', { cwd: join(import.meta.dirname, 'groups') })
  assert.deepEqual(
    entries.map((name) => name.replace(/\.ts$/, '')).toSorted(),
    Object.keys(GROUPS).toSorted(),
  )
})

test('on PostgreSQL only files run that depend on the database, directly or through imports', () => {
  const files = filesToRun({ LECTERN_TEST_POSTGRES: 'postgres://' })
  for (const file of ['test/crash.test.ts', 'test/api/users.test.ts', 'test/matrix.test.ts'])
    assert(files.includes(file), file)
  for (const file of [
    'test/rooms.test.ts',
    'src/core/document/print.test.ts',
    'test/sites/page.test.ts',
    'test/http/headers.test.ts',
  ])
    assert(!files.includes(file), file)
})

test('the long run has only the files that try more cases', () => {
  const files = filesToRun({ LECTERN_TEST_EFFORT: 'long' })
  for (const file of ['test/crash.test.ts', 'src/core/content/merge/merge.test.ts'])
    assert(files.includes(file), file)
  assert(!files.includes('test/api/users.test.ts'))
  assert(files.includes('test/console/together.test.ts'))
})

test('in continuous integration, the default groups try less on PostgreSQL, and the long ones as much as on SQLite', () => {
  const inCi = { LECTERN_TEST_EFFORT: 'ci' }
  const onPostgres = { LECTERN_TEST_POSTGRES: 'postgres://' }
  assert(hasDefaultEffort('api', { ...inCi, ...onPostgres }))
  assert(!hasDefaultEffort('long/screens', { ...inCi, ...onPostgres }))
  assert(!hasDefaultEffort('api', inCi))
  assert(!hasDefaultEffort('api', { LECTERN_TEST_EFFORT: 'long', ...onPostgres }))
})

test('only the long run and continuous integration start the groups that take long', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  assert.match(scripts.test ?? '', /"test\/groups\/\*\.ts"$/)
  assert.match(scripts['test:long'] ?? '', /"test\/groups\/\*\*\/\*\.ts"$/)
  const steps = readFileSync(join(ROOT, '.ci/run'), 'utf8')
  for (const group of Object.keys(GROUPS).filter((one) => one.startsWith('long/')))
    assert(steps.includes(`test/groups/${group}.ts`), group)
})

/** The processes that `npm test` starts. */
const DEFAULT_GROUPS = Object.keys(GROUPS)
  .filter((group) => !group.startsWith('long/'))
  .map((group) => `test/groups/${group}.ts`)

/** What the steps of continuous integration run, and on which database. */
const CI_STEPS = readFileSync(join(ROOT, '.ci/run'), 'utf8')
  .split(/\n\s*step /)
  .filter((step) => step.includes('LECTERN_TEST_EFFORT=ci'))
  .map((step) => ({
    isOnPostgres: step.includes('LECTERN_TEST_POSTGRES='),
    entries: (step.match(/test\/[^\s"]+\.ts/g) ?? []).flatMap((entry) =>
      entry === 'test/groups/*.ts' ? DEFAULT_GROUPS : [entry],
    ),
  }))
const groupOfEntry = (entry: string) => /^test\/groups\/(.*)\.ts$/.exec(entry)?.[1]

test('continuous integration runs every file', () => {
  const run = CI_STEPS.flatMap(({ isOnPostgres, entries }) => {
    const env = {
      LECTERN_TEST_EFFORT: 'ci',
      ...(isOnPostgres ? { LECTERN_TEST_POSTGRES: 'postgres://' } : {}),
    }
    const groups = new Set(entries.map(groupOfEntry))
    return [...entries, ...filesToRun(env).filter((file) => groups.has(groupOf(file)))]
  })
  const files = new Set(run)
  assert.deepEqual(
    filesToRun({}).filter((file) => !files.has(file)),
    [],
  )
})

test('continuous integration runs every test that only the long run has', () => {
  const started = CI_STEPS.flatMap(({ entries }) => entries)
  const groups = new Set(started.map(groupOfEntry))
  // The other attacks have the default effort there.
  groups.delete('long/attacks')
  const isOnlyLong = (file: string) =>
    /\b(?:inLongRun|onlyLong)\b/.test(readFileSync(join(ROOT, file), 'utf8'))
  const missing = filesToRun({ LECTERN_TEST_EFFORT: 'long' }).filter(
    (file) => isOnlyLong(file) && !groups.has(groupOf(file)) && !started.includes(file),
  )
  assert.deepEqual(missing, [])
  for (const entry of started) assert(existsSync(join(ROOT, entry)), entry)
})

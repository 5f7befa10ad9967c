/** A spread of data into a call fails beyond about a hundred thousand items: `append` and `greatest` take any number. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = resolve(import.meta.dirname, '..')

/** A spread among the arguments of a call, not in an array or object, and not a parameter. */
const SPREAD = /\w\((?:[^(){}[\]'`;]*,\s*)?\.\.\.(?!\w+:)[^)]*/g
/** Files whose calls spread what the code makes short: a pair, or the parameters of a statement or a function. */
const SHORT = [
  'src/console/app/api/requests.ts',
  'src/core/content/edit/place-changes.ts',
  'src/core/content/line-merge.ts',
  'src/core/content/merge/body.ts',
  'src/core/content/merge/weave.ts',
  'src/core/expression/methods.ts',
  'src/db/sqlite.ts',
]

test('no call spreads a list that data can make long', () => {
  const found = globSync('src/**/*.{ts,tsx}', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('src/sites/assets/'))
    .flatMap((file) => {
      const text = readFileSync(resolve(ROOT, file), 'utf8')
      return [...text.matchAll(SPREAD)].map(([call]) => ({ file, call }))
    })
  assert.deepEqual(
    found.filter(({ file }) => !SHORT.includes(file)),
    [],
  )
  assert.deepEqual([...new Set(found.map(({ file }) => file))].toSorted(), SHORT)
})

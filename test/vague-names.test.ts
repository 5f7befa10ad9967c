/**
 * The name of a function describes its result and its subject. If many files define a name such as `nameOf`, a reader of a
 * call cannot know the subject. Put the subject into the name instead: `documentText`, `rowKey`.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = resolve(import.meta.dirname, '..')

test('at most three files define a function of the same name that ends in "Of"', () => {
  const pattern =
    /^ *(?:export )?(?:(?:async )?function\*? ([a-z]\w*Of)\b|const ([a-z]\w*Of)\b[^=\n]*= (?:async )?(?:<[^>\n]*>)?(?:\(|\w+ =>))/gm
  const files = new Map<string, string[]>()
  for (const file of globSync('src/**/*.{ts,tsx}', { cwd: ROOT })) {
    if (file.endsWith('.test.ts')) continue
    const text = readFileSync(resolve(ROOT, file), 'utf8')
    const names = [...text.matchAll(pattern)].map(([, declared, constant]) => declared ?? constant ?? '')
    for (const name of new Set(names)) files.set(name, [...(files.get(name) ?? []), file])
  }
  const vague = [...files].filter(([, definers]) => definers.length > 3)
  assert.deepEqual(Object.fromEntries(vague), {})
})

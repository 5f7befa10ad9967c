/** A name that a file exports means one thing in the whole program, and is used. */
import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = resolve(import.meta.dirname, '..')
const sources = globSync('**/*.{ts,tsx}', { cwd: join(ROOT, 'src'), exclude: ['**/*.test.ts'] }).map(
  (file) => ({
    file,
    text: readFileSync(join(ROOT, 'src', file), 'utf8'),
  }),
)

test('an exported name is unique', () => {
  const homes = new Map<string, Set<string>>()
  for (const { file, text } of sources) {
    if (file.startsWith('db/migrations/')) continue
    const pattern = /^export (?:async )?(?:function\*?|const|class|interface|type) ([A-Za-z_]\w*)/gm
    // The browser's program names what it reads from the API as the API does.
    const program = file.startsWith('console/app/') ? 'in the console: ' : ''
    for (const [, name = ''] of text.matchAll(pattern))
      homes.set(program + name, (homes.get(program + name) ?? new Set()).add(file))
  }
  const twice = [...homes].filter(([, found]) => found.size > 1)
  assert.deepEqual(
    twice.map(([name, found]) => `${name}: ${[...found].join(', ')}`),
    [],
  )
})

/** The exports that only tests need: a rule that they check, or a function without turns whose cost they measure. */
const FOR_TESTS = ['matchPage', 'TEXT_PAIRS']

test('no file exports a function or constant that only the file itself, or only a test, uses', () => {
  const all = ['src', 'test', 'bench', 'bin', 'tools'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:tsx?|js)$/.test(file))
      .map((file) => join(folder, file)),
  )
  const codeOf = new Map(all.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))
  const users = new Map<string, Set<string>>()
  for (const [file, code] of codeOf)
    for (const [word] of code.replaceAll(/\/\*\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '').matchAll(/[A-Za-z_]\w*/g))
      users.set(word, (users.get(word) ?? new Set()).add(file))
  const unused = all.flatMap((file) => {
    // Every export of these is a route, or a step of the database.
    if (/^(?:test|bench|bin)\/|\.test\.|^src\/(?:api|scim|shared-routes|db\/migrations)\//.test(file))
      return []
    const code = codeOf.get(file)!
    const names = code.matchAll(/^export (?:async )?(?:function\*?|const|class) ([A-Za-z_]\w*)/gm)
    return [...names].flatMap(([, name = '']) => {
      const others = [...users.get(name)!].filter((one) => one !== file)
      const isUsed = others.some((one) => !/^test\/|\.test\./.test(one)) || FOR_TESTS.includes(name)
      const isUsedHere = code.split(new RegExp(`\\b${name}\\b`)).length > 2
      return isUsed || (isUsedHere && others.length > 0) ? [] : [`${file}: ${name}`]
    })
  })
  assert.deepEqual(unused, [])
})

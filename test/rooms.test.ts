/** The layout that docs/contributing/ARCHITECTURE.md describes: which room may import which, and one name for one thing. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

const SOURCE = resolve(import.meta.dirname, '../src')

const KIT = ['core', 'db', 'http']

/**
 * The rooms from the bottom to the top. A room may import itself, what it names, and whatever is inside these; where a
 * folder is divided, each of its rooms names the siblings below it. Files at the top of `src` and `commands` may import
 * everything.
 */
const MAY_IMPORT: Record<string, string[]> = {
  'core/document/html': ['core/document/*', 'core/*'],
  'core/document/markdown': ['core/document/*', 'core/*'],
  'core/document': ['core/document/html', 'core/document/markdown', 'core/yaml', 'core/*'],
  'core/expression': ['core/*'],
  'core/yaml': ['core/*'],
  'core/repository': ['core/document', 'core/expression', 'core/content', 'core/yaml', 'core/*'],
  'core/content/prolly-tree': ['core/content/*', 'core/*'],
  'core/content/tree': ['core/content/*', 'core/*'],
  'core/content/fields': [
    'core/content/*',
    'core/content/tree',
    'core/document',
    'core/expression',
    'core/repository',
    'core/*',
  ],
  'core/content/batch': [
    'core/content/*',
    'core/content/fields',
    'core/content/tree',
    'core/document',
    'core/expression',
    'core/repository',
    'core/*',
  ],
  'core/content/merge': [
    'core/content/*',
    'core/content/fields',
    'core/content/prolly-tree',
    'core/content/tree',
    'core/document',
    'core/repository',
    'core/yaml',
    'core/*',
  ],
  'core/content': ['core/content/prolly-tree', 'core/content/tree', 'core/document', 'core/*'],
  core: ['core/expression'],
  db: ['core/*'],
  mail: [],
  threads: [],
  blobs: ['config'],
  http: ['core/*', 'db', 'blobs', 'mail'],
  access: KIT,
  'model/audit': ['model/*', ...KIT, 'access', 'blobs', 'mail'],
  'model/people': ['model/*', ...KIT, 'access', 'blobs', 'mail'],
  'model/places': ['model/*', 'model/people', ...KIT, 'access', 'blobs', 'mail'],
  'model/access': ['model/*', 'model/people', 'model/places', ...KIT, 'access'],
  'model/membership': ['model/*', 'model/people', 'model/places', 'model/access', ...KIT, 'access', 'mail'],
  'model/content': ['threads', 'model/*', 'model/people', 'model/places', ...KIT, 'access', 'blobs'],
  'model/discussion': ['model/*', 'model/people', 'model/content', ...KIT, 'access'],
  'model/proposals': [
    'model/*',
    'model/people',
    'model/places',
    'model/access',
    'model/content',
    'model/discussion',
    ...KIT,
    'access',
  ],
  'model/history': ['model/*', 'model/people', 'model/content', 'model/proposals', ...KIT, 'access'],
  'model/links': [
    'model/*',
    'model/people',
    'model/places',
    'model/content',
    'model/proposals',
    'model/history',
    ...KIT,
    'access',
  ],
  'model/sites': ['model/*', 'model/places', 'model/content', ...KIT, 'access'],
  model: [...KIT, 'access'],
  'shared-routes': ['model', ...KIT, 'access', 'blobs'],
  imports: ['model', ...KIT, 'access', 'blobs', 'threads'],
  api: ['shared-routes', 'imports', 'model', ...KIT, 'access', 'blobs', 'version'],
  'sites/assets': [],
  'sites/highlight': ['core', 'threads'],
  'sites/render': ['sites/assets', 'core'],
  'sites/serve': ['sites/assets', 'sites/highlight', 'sites/render', 'model', ...KIT, 'access', 'blobs'],
  jobs: ['imports', 'model', ...KIT, 'access', 'blobs', 'mail'],
}

const files = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
  .map((entry) => relative(SOURCE, join(entry.parentPath, entry.name)))
const textOf = new Map(files.map((file) => [file, readFileSync(join(SOURCE, file), 'utf8')]))

/** The room of a file: the deepest folder that the table names. */
function roomOf(file: string): string | undefined {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    if (folder in MAY_IMPORT) return folder
  return undefined
}

function importsOf(file: string): string[] {
  const paths = [...textOf.get(file)!.matchAll(/\b(?:from|import) '(\.[^']+)'/g)]
  return paths.map(([, path = '']) => relative(SOURCE, resolve(SOURCE, dirname(file), path)))
}

/** `a/b` allows the room and what is below it; `a/*` only the files of `a` itself. */
function allows(pattern: string, target: string): boolean {
  if (pattern.endsWith('/*')) return dirname(target) === pattern.slice(0, -2)
  return target.replace(/\.ts$/, '') === pattern || target.startsWith(`${pattern}/`)
}

test('imports point down, from room to room', () => {
  const upward: string[] = []
  for (const file of files) {
    const room = roomOf(file)
    if (room === undefined) continue
    for (const target of importsOf(file)) {
      const allowed: boolean = roomOf(target) === room || MAY_IMPORT[room]!.some((one) => allows(one, target))
      if (!allowed) upward.push(`${file} imports ${target}`)
    }
  }
  assert.deepEqual(upward, [])
})

test('an exported name is unique', () => {
  const homes = new Map<string, Set<string>>()
  for (const [file, text] of textOf) {
    if (file.startsWith('db/migrations/')) continue
    const pattern = /^export (?:async )?(?:function\*?|const|class|interface|type) ([A-Za-z_]\w*)/gm
    for (const [, name = ''] of text.matchAll(pattern))
      homes.set(name, (homes.get(name) ?? new Set()).add(file))
  }
  const twice = [...homes].filter(([, found]) => found.size > 1)
  assert.deepEqual(
    twice.map(([name, found]) => `${name}: ${[...found].join(', ')}`),
    [],
  )
})
